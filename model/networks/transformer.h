#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/layers/attention.h"
#include "model/layers/linear.h"
#include "model/networks/packed_rows.h"
#include "model/networks/step_network.h"
#include "model/networks/transformer_settings.h"

namespace gloss {

/// Dropout masks for the layers of one pass; without a generator all masks keep all.
class TransformerDropout {
 public:
  TransformerDropout(const TransformerSettings& settings, Random* random)
      : settings_(settings), random_(random) {}
  DropoutMask residual() const { return dropout_mask(settings_.dropout, random_); }
  DropoutMask attention() const { return dropout_mask(settings_.attention_dropout, random_); }
  DropoutMask activation() const { return dropout_mask(settings_.activation_dropout, random_); }
  DropoutMask embedding() const { return dropout_mask(settings_.embedding_dropout, random_); }

 private:
  const TransformerSettings& settings_;
  Random* random_;
};

/// x + dropout(branch(x)) with layer normalisation before the branch or after the sum. Parameters NAME.norm.
class Residual {
 public:
  Residual(Parameters&, const std::string& name, const TransformerSettings&);
  template <class Branch>
  Tensor operator()(const Tensor& x, Branch branch, const TransformerDropout& dropout) const {
    if (placement_ == NormPlacement::pre) return add_dropout(x, branch(norm_(x)), dropout.residual());
    return norm_.of_sum(x, branch(x), dropout.residual());
  }

 private:
  NormPlacement placement_;
  LayerNorm norm_;
};

/// Two linear layers with the activation between. Parameters NAME.inner and NAME.outer, of which the latter
/// starts `output_scale` times as large as usual.
class FeedForward {
 public:
  FeedForward(Parameters&, const std::string& name, const TransformerSettings&, double output_scale = 1);
  Tensor operator()(const Tensor& x, const TransformerDropout&) const;

 private:
  Activation activation_;
  Linear inner_, outer_;
};

/// How one side knows positions.
struct PositionScheme {
  Tensor embeddings;  ///< [max_positions, width], added to those of tokens; may be none
  AttentionPositions attention;
};
struct PositionSchemes {
  PositionScheme encoder, decoder;
};
/// Tables of sines, angles or distances, or the parameters SIDE.positions or SIDE.distances of the sides that
/// there are.
PositionSchemes declare_positions(Parameters&, const TransformerSettings&);

/// Token embeddings, scaled by the root of the width, with positions; both tables may be shared.
class TokenEmbedding {
 public:
  TokenEmbedding(Tensor table, Tensor positions);
  /// [T, width]; tokens of -1 give zeros.
  Tensor operator()(std::span<const TokenId> tokens, std::span<const int> places, const DropoutMask&) const;

 private:
  Tensor table_, positions_;
  float scale_;
};

/// Self-attention and a feed-forward layer, each with a residual connection around.
struct SelfAttentionBlock {
  Residual around_attention;
  SelfAttention self_attention;
  Residual around_feed_forward;
  FeedForward feed_forward;
  SelfAttentionBlock(Parameters&, const std::string& name, const TransformerSettings&,
                     const AttentionPositions&, double output_scale = 1);
  Tensor operator()(const Tensor& x, const SelfAttentionView&, bool causal, const TransformerDropout&) const;
};

struct DecoderBlock {
  Residual around_attention;
  SelfAttention self_attention;
  Residual around_cross_attention;
  CrossAttention cross_attention;
  Residual around_feed_forward;
  FeedForward feed_forward;
  DecoderBlock(Parameters&, const std::string& name, const TransformerSettings&, const AttentionPositions&);
};

/// The encoder-decoder of "Attention is all you need" (Vaswani et al. 2017), with pre- or post-norm.
class Transformer : public StepNetwork {
 public:
  Transformer(const TransformerSettings&, const VocabularySettings&, Parameters&);

  Loss loss(const Batch&, const Regularization*) const override;
  std::vector<float> log_probabilities(const Batch&) const override;
  Tensor states(const TokenRows&) const override;
  std::unique_ptr<DecoderState> start(const TokenRows& source) const override;

 private:
  class State;

  Tensor encode(const PackedRows& source, const TransformerDropout&) const;
  /// The decoder's last hidden states for teacher-forced targets.
  Tensor decode(const PackedRows& source, const PackedRows& target, const TransformerDropout&) const;
  /// The attention is that of the last layer, a mean over its heads.
  Tensor advance(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const override;
  Tensor decoder_block(const DecoderBlock&, const Tensor& x, const SelfAttentionView&,
                       const KeysValues& memory, const TransformerDropout&,
                       SourceAttention* attention = nullptr) const;

  TransformerSettings settings_;
  std::unique_ptr<TokenEmbedding> source_embedding_, target_embedding_;
  std::vector<SelfAttentionBlock> encoder_;
  std::vector<DecoderBlock> decoder_;
  std::optional<LayerNorm> encoder_norm_, decoder_norm_;  // pre-norm stacks end with one
};

}  // namespace gloss

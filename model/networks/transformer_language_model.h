#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/networks/transformer.h"

namespace gloss {

/// A transformer with a decoder alone, which continues text (Radford et al. 2019). A source row is what
/// stands before its target row: tokens that are read and not predicted, such as a prompt. An empty one means
/// that nothing stands there, which the begin token tells.
class TransformerLanguageModel : public Network {
 public:
  TransformerLanguageModel(const TransformerSettings&, const VocabularySettings&, Parameters&);

  Loss loss(const Batch&, const Regularization*) const override;
  std::vector<float> log_probabilities(const Batch&) const override;
  std::unique_ptr<DecoderState> start(const TokenRows& source) const override;
  /// A row's first step follows its source, whatever its latest token. There is no attention to a source.
  Tensor step(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const override;
  void step_to_best(std::span<const TokenId> latest, DecoderState&, const TopScores::Wanted&, TopScores&,
                    SourceAttention*) const override;
  int vocabulary_size() const override { return vocabulary_.target; }
  TokenId begin() const override { return vocabulary_.begin; }
  TokenId end() const override { return vocabulary_.end; }

 private:
  class State;
  /// What the network reads and what it is to predict.
  struct Taught;

  Taught teach(const Batch&) const;
  /// The last hidden states. `projected`, if not null, becomes each block's keys and values.
  Tensor hidden(const PackedRows&, const TransformerDropout&, std::vector<Tensor>* projected = nullptr) const;
  /// Those of the latest token of each row, with padding behind.
  Tensor advance(std::span<const TokenId> latest, State&, SourceAttention*) const;
  Tensor normed(const Tensor& x) const { return norm_ ? (*norm_)(x) : x; }

  TransformerSettings settings_;
  VocabularySettings vocabulary_;
  Tensor output_weight_;
  std::unique_ptr<TokenEmbedding> embedding_;
  std::vector<SelfAttentionBlock> blocks_;
  std::optional<LayerNorm> norm_;  // a pre-norm stack ends with one
};

}  // namespace gloss

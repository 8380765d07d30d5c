// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/networks/guided_attention.h"
#include "model/networks/packed_rows.h"
#include "model/networks/sources/source_embedding.h"
#include "model/networks/step_network.h"
#include "model/networks/transformer/decoder_block.h"
#include "model/networks/transformer/mixer_block.h"
#include "model/networks/transformer/position_schemes.h"
#include "model/networks/transformer/token_embedding.h"

namespace gloss {

/// The encoder-decoder of "Attention is all you need" (Vaswani et al. 2017), with pre- or post-norm. Without
/// encoder layers, the decoder attends to the vectors of a source that is not text themselves.
class Transformer : public TranslationNetwork, public MixingNetwork {
 public:
  Transformer(const NetworkSizes&, const TransformerSettings&, const SourceSettings&,
              const VocabularySettings&, Parameters&);

  Loss loss(const Batch&, const Regularization*) const override;
  Tensor target_states(const Batch&) const override;
  Tensor states(const TokenRows&) const override;
  std::unique_ptr<DecoderState> start(const TokenRows& source) const override;
  bool takes_several() const override { return true; }
  bool forgets_earlier_steps() const override;
  bool attends() const override { return !unfolding_; }
  const MixingNetwork* mixing_network() const override { return this; }
  std::vector<Layer> layers(bool of_decoder) const override;
  void visit_weights(const Batch&, bool of_decoder, const LayerVisitors&) const override;

 private:
  class State;

  Tensor encode(const PackedRows& source, const TransformerDropout&,
                const LayerVisitors* weights = nullptr) const;
  /// Who sees more of a pass of the decoder than its result; each may be null.
  struct Watch {
    TargetAttention* guided = nullptr;  ///< the attention of the last layer's alignment head
    const LayerVisitors* weights = nullptr;
  };
  /// The decoder's last hidden states for teacher-forced targets, given the encoder's states.
  Tensor decode(const Tensor& memory, const PackedRows& source, const PackedRows& target,
                const TransformerDropout&, const Watch&) const;
  /// Attention is that of the last layer: of its alignment head, or the mean over its heads.
  Tensor advance(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const override;
  /// The input of the decoder's first layer.
  Tensor unfolded(const Tensor& embedded, const Tensor& memory, const PackedRows& source,
                  const PackedRows& target) const;
  /// Who receives the attention of a block to the source; both may be null.
  struct Lookers {
    SourceAttention* attention = nullptr;  ///< during decoding
    GuidedHead* guided = nullptr;          ///< in training
  };
  Tensor decoder_block(const DecoderBlock&, const Tensor& x, const SelfAttentionView&,
                       const KeysValues& memory, const TransformerDropout&, const Lookers&) const;

  NetworkSizes sizes_;
  TransformerSettings settings_;
  std::unique_ptr<TokenEmbedding> source_embedding_;  // null if the source is not text
  std::unique_ptr<SourceEmbedding> source_;           // null if it is
  std::unique_ptr<TokenEmbedding> target_embedding_;
  PositionSchemes positions_;
  std::vector<std::shared_ptr<const Block>> encoder_;
  std::vector<DecoderBlock> decoder_;
  std::optional<Linear> unfolding_;  // of the encoder's states, if the decoder does not attend to them
  std::vector<int> reaches_;         // of the decoder's layers, see MixerMemory
  std::optional<StackEnd> encoder_end_, decoder_end_;
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/networks/guided_attention.h"
#include "model/networks/packed_rows.h"
#include "model/networks/step_network.h"
#include "model/networks/transformer/transformer_stack.h"

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

  /// Who sees more of a pass of the decoder than its result; each may be null.
  struct Watch {
    TargetAttention* guided = nullptr;  ///< the attention of the last layer's alignment head
    const LayerVisitors* weights = nullptr;
  };
  /// The decoder's last hidden states for teacher-forced targets, given the encoder's states.
  Tensor decode(const Tensor& states, const PackedRows& source, const PackedRows& target,
                const TransformerDropout&, const Watch&) const;
  /// Attention is that of the last layer: of its alignment head, or the mean over its heads.
  Tensor advance(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const override;
  /// The input of the decoder's first layer.
  Tensor unfolded(const Tensor& embedded, const Tensor& states, const PackedRows& source,
                  const PackedRows& target) const;

  NetworkSizes sizes_;
  TransformerSettings settings_;
  TransformerStack encoder_, decoder_;
  std::optional<Linear> unfolding_;  // of the encoder's states, if the decoder does not attend to them
  std::vector<int> reaches_;         // of the decoder's layers, see MixerHistory
};

}  // namespace gloss

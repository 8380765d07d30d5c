// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "model/networks/recurrent/recurrent_decoder.h"
#include "model/networks/recurrent/recurrent_encoder.h"
#include "model/networks/recurrent/recurrent_masks.h"
#include "model/networks/recurrent/recurrent_settings.h"
#include "model/networks/sources/source_embedding.h"
#include "model/networks/step_network.h"

namespace gloss {

/// Recurrent encoder-decoders: the fixed-vector model (Sutskever et al. 2014, Cho et al. 2014) and those with
/// attention (Bahdanau et al. 2015, Luong et al. 2015). The source may be an image: without encoder layers,
/// the decoder attends to the vectors of its grid themselves (Xu et al. 2015), which have the width of the
/// decoder and sinusoidal positions in two dimensions.
class RecurrentTranslator : public TranslationNetwork {
 public:
  RecurrentTranslator(const NetworkSizes&, const RecurrentSettings&, const SourceSettings&,
                      const VocabularySettings&, Parameters&);

  Loss loss(const Batch&, const Regularization*) const override;
  Tensor target_states(const Batch&) const override;
  Tensor states(const TokenRows&) const override;
  std::unique_ptr<DecoderState> start(const TokenRows& source) const override;
  bool attends() const override { return decoder_->attends(); }

 private:
  /// Rows in the encoder's order.
  PackedRows pack_source(const TokenRows&, int multiple) const;
  EncodedSource encode(const PackedRows& source, const RecurrentMasks&) const;
  EncodedRows encoded(const TokenRows&) const override;
  /// The input of the output layer for all positions of the target, given the tokens before them. `guided`,
  /// if not null, receives the attention.
  Tensor decode(const EncodedSource&, const PackedRows& target, std::span<const TokenId> inputs,
                const RecurrentMasks&, std::vector<TargetAttention>* guided = nullptr) const;
  Tensor decode(const PackedRows& source, const PackedRows& target, std::span<const TokenId> inputs,
                const RecurrentMasks& masks) const {
    return decode(encode(source, masks), target, inputs, masks);
  }
  /// Attention is that of the alignment head, or averaged over the heads. Throws UsageError if it is
  /// requested from a network without attention.
  Tensor advance(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const override;
  /// Sets the gains of a pass's samples: log p of each target token minus its log p with the best positions.
  void reward(const RecurrentMasks&, const PackedRows& source, const PackedRows& target,
              std::span<const TokenId> inputs, const Tensor& hidden, std::span<const float> weights) const;
  /// Target inputs, some of them replaced by the network's own predictions (scheduled sampling).
  std::vector<TokenId> sampled_inputs(const PackedRows& source, const PackedRows& target, Random&) const;

  NetworkSizes sizes_;
  RecurrentSettings settings_;
  Tensor source_table_, target_table_;
  std::unique_ptr<SourceEmbedding> source_;  // in place of source_table_; null if the source is text
  std::optional<RecurrentEncoder> encoder_;
  std::optional<RecurrentDecoder> decoder_;
};

}  // namespace gloss

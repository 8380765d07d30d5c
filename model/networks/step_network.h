// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/networks/ctc_head.h"
#include "model/networks/network.h"
#include "model/networks/network_settings.h"
#include "model/tensor/ops.h"

namespace gloss {

/// A network that continues rows step by step: scores are those of the output layer for the hidden
/// states of a step.
class StepNetwork : public Network {
 public:
  Tensor step(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const final;
  void step_to_best(std::span<const TokenId> latest, DecoderState&, const TopScores::Wanted&, TopScores&,
                    SourceAttention*) const final;
  OutputPart output_part(std::vector<TokenId> tokens) const final;
  void step_in_parts(std::span<const TokenId> latest, DecoderState&, std::span<const OutputPart* const> parts,
                     const UsePartScores& use, SourceAttention*) const final;
  int vocabulary_size() const final { return vocabulary_.target; }
  TokenId begin() const final { return vocabulary_.begin; }
  TokenId end() const final { return vocabulary_.end; }

 protected:
  explicit StepNetwork(const VocabularySettings& vocabulary) : vocabulary_(vocabulary) {}
  /// The last hidden states of a step, followed by padding.
  virtual Tensor advance(std::span<const TokenId> latest, DecoderState&, SourceAttention*) const = 0;
  /// The loss of a batch for these hidden states, targets and weights, without that of attention.
  Loss loss_of(const Tensor& hidden, std::span<const TokenId> targets, std::span<const float> weights,
               const Batch&, const Regularization*) const;

  VocabularySettings vocabulary_;
  OutputLayer output_;  // set by the derived network
};

/// A step network whose targets follow from sources: scores of whole targets are those of the output layer
/// for the hidden states of teacher forcing. Some label the vectors of their encoders, too.
class TranslationNetwork : public StepNetwork, public TargetPredictor, public VectorLabeller {
 public:
  const TargetPredictor* target_predictor() const final { return this; }
  Tensor target_scores(const Tensor& states) const final;
  std::vector<float> log_probabilities(const Batch&) const final;
  const VectorLabeller* vector_labeller() const final { return ctc_ ? this : nullptr; }
  VectorLabels label(const TokenRows&) const final;
  TokenId blank() const final { return ctc_->blank(); }

 protected:
  using StepNetwork::StepNetwork;
  /// The states of the encoder, without dropout.
  virtual EncodedRows encoded(const TokenRows& rows) const { return {states(rows), rows.starts}; }
  /// Mixes the loss of a batch with that of the CTC head, as the terms say.
  void mix_ctc(Loss&, const EncodedRows&, const Batch&, const Regularization*) const;

  std::optional<CtcHead> ctc_;  // set by the derived network
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "model/networks/step_network.h"

#include <utility>

#include "base/error.h"
#include "model/networks/packed_rows.h"
#include "model/networks/r_drop.h"
#include "model/tensor/ops.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

Tensor StepNetwork::step(std::span<const TokenId> latest, DecoderState& state,
                         SourceAttention* attention) const {
  return vocabulary_scores(advance(latest, state, attention), output_);
}

void StepNetwork::step_to_best(std::span<const TokenId> latest, DecoderState& state,
                               const TopScores::Wanted& wanted, TopScores& best,
                               SourceAttention* attention) const {
  const Tensor hidden = advance(latest, state, attention);
  top_vocabulary_scores(hidden, output_, static_cast<std::int64_t>(latest.size()), wanted, best);
}

OutputPart StepNetwork::output_part(std::vector<TokenId> tokens) const {
  return part_of(output_, std::move(tokens));
}

void StepNetwork::step_in_parts(std::span<const TokenId> latest, DecoderState& state,
                                std::span<const OutputPart* const> parts, const UsePartScores& use,
                                SourceAttention* attention) const {
  if (output_.weight.packed() == nullptr) return Decoder::step_in_parts(latest, state, parts, use, attention);
  scores_in_parts(advance(latest, state, attention), parts, use);
}

Loss StepNetwork::loss_of(const Tensor& hidden, std::span<const TokenId> targets,
                          std::span<const float> weights, const Batch& batch,
                          const Regularization* regularization) const {
  const LossTerms terms = regularization != nullptr ? regularization->terms : LossTerms();
  WantedShares wanted{.label_smoothing = terms.label_smoothing};
  const auto with_soft = [&](const SoftTargets& soft) {
    if (soft.per_row > 0) wanted.soft = &soft, wanted.soft_weight = terms.distillation_weight;
  };
  CrossEntropy made;
  if (terms.r_drop > 0) {
    wanted.r_drop = terms.r_drop;
    const PairedTargets paired = paired_targets(hidden, batch);
    with_soft(paired.soft);
    made = softmax_cross_entropy(paired.hidden, output_, paired.targets, paired.weights, wanted);
  } else {
    with_soft(batch.soft);
    made = softmax_cross_entropy(hidden, output_, targets, weights, wanted);
  }
  return {made.sum, made.cross_entropy, static_cast<int>(batch.target.tokens.size()), weight_of(batch)};
}

Tensor TranslationNetwork::target_scores(const Tensor& states) const {
  return vocabulary_scores(states, output_);
}

VectorLabels TranslationNetwork::label(const TokenRows& rows) const { return ctc_->label(encoded(rows)); }

void TranslationNetwork::mix_ctc(Loss& loss, const EncodedRows& encoded, const Batch& batch,
                                 const Regularization* regularization) const {
  if (regularization == nullptr || regularization->terms.ctc_weight == 0) return;
  expects(ctc_.has_value(), "ctc_weight for a network without a CTC head");
  const auto share = static_cast<float>(regularization->terms.ctc_weight);
  loss.sum = add_prefix(scale(loss.sum, 1 - share), scale(ctc_->loss(encoded, batch), share));
}

std::vector<float> TranslationNetwork::log_probabilities(const Batch& batch) const {
  const PackedRows target(batch.target, kTrainingRows);
  std::vector<float> all = target_log_probabilities(target_states(batch), output_, target.tokens);
  all.resize(batch.target.tokens.size());
  return all;
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/network_learner.h"

#include "model/layers/weight_ranges.h"

namespace gloss {

NetworkLearner::NetworkLearner(const NetworkSettings& settings, const Parameters& weights,
                               std::shared_ptr<WeightCopies> copies, double label_smoothing,
                               const std::vector<std::string>& frozen)
    : copies_(std::move(copies)),
      network_(make_network(settings, parameters_)),
      label_smoothing_(label_smoothing) {
  parameters_.share(weights);
  if (copies_) parameters_.use_copies(copies_->values());
  parameters_.keep_gradients([&](const Parameters::Entry& entry) { return !is_frozen(entry.name, frozen); });
}

void NetworkLearner::prepare(WorkerThreads& workers) {
  if (copies_) copies_->refresh(workers);
}

LossFigures NetworkLearner::learn(const Batch& batch, Random& random, const GradientFinished& finished) {
  const Regularization regularization{random, label_smoothing_};
  const Loss loss = network_->loss(batch, &regularization);
  std::function<void(const Tensor&)> leaf_finished;
  if (finished) leaf_finished = [&](const Tensor& leaf) { finished(parameters_.gradient_part(leaf)); };
  backward(loss.sum, leaf_finished);
  return {loss.sum.data()[0], loss.cross_entropy, loss.tokens, loss.weight};
}

}  // namespace gloss

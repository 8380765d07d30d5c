// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/network_learner.h"

#include "model/layers/weight_ranges.h"
#include "model/networks/r_drop.h"

namespace gloss {

NetworkLearner::NetworkLearner(const NetworkSettings& settings, const Parameters& weights,
                               std::shared_ptr<WorkingWeights> working, const LearningGoal& goal,
                               const std::vector<std::string>& frozen)
    : working_(std::move(working)), network_(make_network(settings, parameters_)), goal_(goal) {
  parameters_.share(weights);
  if (working_) working_->give_to(parameters_);
  parameters_.keep_gradients([&](const Parameters::Entry& entry) { return !is_frozen(entry.name, frozen); });
}

void NetworkLearner::prepare(WorkerThreads& workers) {
  if (working_) working_->refresh(workers);
}

LossFigures NetworkLearner::learn(const Batch& batch, Random& random, const GradientFinished& finished) {
  const Regularization regularization{random, goal_.terms};
  Batch taught;
  const Batch* learned = &batch;
  if (goal_.teachers != nullptr) {
    taught = batch;
    taught.soft = goal_.teachers->soft_targets(batch);
    learned = &taught;
  }
  if (goal_.terms.r_drop > 0) {
    taught = twice(*learned);
    learned = &taught;
  }
  const Loss loss = network_->loss(*learned, &regularization);
  std::function<void(const Tensor&)> leaf_finished;
  if (finished) leaf_finished = [&](const Tensor& leaf) { finished(parameters_.gradient_part(leaf)); };
  backward(loss.sum, leaf_finished);
  const int passes = goal_.terms.r_drop > 0 ? 2 : 1;
  return {loss.sum.data()[0], loss.cross_entropy, loss.tokens / passes, loss.weight};
}

}  // namespace gloss

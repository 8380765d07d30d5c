// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/layers/parameters.h"
#include "model/networks/factory.h"
#include "pipeline/text_models/precision.h"
#include "pipeline/training/distillation.h"
#include "pipeline/training/sharded_gradient.h"
#include "pipeline/training/working_weights.h"

namespace gloss {

/// What a network learns: the terms of its loss, and the models that it follows, if any.
struct LearningGoal {
  LossTerms terms{};
  std::shared_ptr<const Teachers> teachers{};
};

/// A network that uses the weights of another and has its own gradients.
class NetworkLearner : public Learner {
 public:
  /// `weights` must outlive the learner, which computes with `working` if it is not null; learners of the
  /// same weights share it. Frozen parameters (weight_ranges.h) get no gradients.
  NetworkLearner(const NetworkSettings&, const Parameters& weights, std::shared_ptr<WorkingWeights> working,
                 const LearningGoal&, const std::vector<std::string>& frozen = {});
  void prepare(WorkerThreads&) override;
  LossFigures learn(const Batch&, Random&, const GradientFinished& finished) override;
  std::span<float> gradients() override { return parameters_.gradients(); }

 private:
  Parameters parameters_;
  std::shared_ptr<WorkingWeights> working_;
  std::unique_ptr<Trainable> network_;
  LearningGoal goal_;
};

}  // namespace gloss

#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/layers/parameters.h"
#include "model/networks/factory.h"
#include "pipeline/gradient.h"
#include "pipeline/precision.h"

namespace gloss {

/// A network over the weights of another, with gradients of its own.
class NetworkLearner : public Learner {
 public:
  /// `weights` must live longer. With `copies`, which learners of the same weights share, it computes in
  /// bf16. Parameters that are frozen (weight_ranges.h) get no gradients.
  NetworkLearner(const NetworkSettings&, const Parameters& weights, std::shared_ptr<WeightCopies> copies,
                 double label_smoothing, const std::vector<std::string>& frozen = {});
  void prepare(WorkerThreads&) override;
  LossFigures learn(const Batch&, Random&, const GradientFinished& finished) override;
  std::span<float> gradients() override { return parameters_.gradients(); }

 private:
  Parameters parameters_;
  std::shared_ptr<WeightCopies> copies_;
  std::unique_ptr<Trainable> network_;
  double label_smoothing_;
};

}  // namespace gloss

#pragma once

#include <memory>
#include <span>

#include "model/layers/parameters.h"
#include "model/networks/factory.h"
#include "pipeline/gradient.h"

namespace gloss {

/// A network over the weights of another, with gradients of its own.
class NetworkLearner : public Learner {
 public:
  /// `weights` must live longer.
  NetworkLearner(const NetworkSettings&, const Parameters& weights, double label_smoothing);
  LossFigures learn(const Batch&, Random&) override;
  std::span<float> gradients() override { return parameters_.gradients(); }

 private:
  Parameters parameters_;
  std::unique_ptr<Trainable> network_;
  double label_smoothing_;
};

}  // namespace gloss

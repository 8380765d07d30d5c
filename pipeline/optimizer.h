#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/fields.h"
#include "base/worker_threads.h"

namespace gloss {

/// Adam (Kingma and Ba 2015); with `weight_decay` > 0 AdamW (Loshchilov and Hutter 2019).
struct OptimizerSettings {
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-9;
  double weight_decay = 0;
  double clip_norm = 1;
};
Fields fields_of(OptimizerSettings&);

/// What a step did.
struct StepFigures {
  double gradient_norm = 0;  ///< Euclidean, of the mean gradient, before clipping
  bool skipped = false;      ///< the norm was not a finite number: the weights are as before
};

/// Moves a flat array of weights against their gradients. Bit for bit the same for any number of threads.
class Optimizer {
 public:
  Optimizer(const OptimizerSettings&, std::size_t size);

  /// One step with the gradients times `scale` (one over what they were summed over).
  StepFigures step(std::span<float> values, std::span<const float> gradients, double scale,
                   double learning_rate, WorkerThreads& workers);

  /// The state: steps taken (skipped ones not counted) and the moments, to be saved and put back.
  std::int64_t steps() const { return steps_; }
  void set_steps(std::int64_t steps) { steps_ = steps; }
  std::span<float> first_moments() { return first_moments_; }
  std::span<float> second_moments() { return second_moments_; }

 private:
  OptimizerSettings settings_;
  std::int64_t steps_ = 0;
  std::vector<float> first_moments_, second_moments_;
};

}  // namespace gloss

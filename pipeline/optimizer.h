#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/worker_threads.h"
#include "pipeline/weight_ranges.h"

namespace gloss {

/// Adam (Kingma and Ba 2015); with `weight_decay` > 0 AdamW (Loshchilov and Hutter 2019).
struct OptimizerSettings {
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-9;
  double weight_decay = 0;
  double clip_norm = 1;
  std::vector<std::string> freeze = {};
  std::vector<std::string> learning_rates = {};  ///< of parts: learning_rate_factors
};
Fields fields_of(OptimizerSettings&);

/// What a step goes by.
struct StepFigures {
  double scale = 1;          ///< of the gradients: one over what they were summed over
  double gradient_norm = 0;  ///< as Optimizer::gradient_norm gave it; finite
  double learning_rate = 0;
};

/// Moves weights of a flat array against their gradients. Bit for bit the same for any number of threads.
class Optimizer {
 public:
  /// Moves the weights of these ranges; all others stay as they are, byte for byte, and need no moments.
  /// Throws UsageError if a part with a learning rate of its own is none of them.
  Optimizer(const OptimizerSettings&, std::vector<WeightRange> learned);

  /// The Euclidean norm, before clipping, of the learned ranges' gradients times `scale`.
  double gradient_norm(std::span<const float> gradients, double scale, WorkerThreads& workers) const;
  void step(std::span<float> values, std::span<const float> gradients, const StepFigures&,
            WorkerThreads& workers);

  /// The state, to be saved and put back: the number of steps, and the moments of each learned parameter.
  std::int64_t steps() const { return steps_; }
  void set_steps(std::int64_t steps) { steps_ = steps; }
  struct Moments {
    const WeightRange& parameter;
    std::span<float> first, second;  ///< as many as the parameter has numbers
  };
  std::vector<Moments> moments();

 private:
  /// Neighbouring ranges in one.
  struct Segment {
    std::size_t begin, end;
    std::size_t moments;  // where its moments begin
    double rate;          // by which the learning rate is multiplied
  };

  OptimizerSettings settings_;
  std::vector<WeightRange> learned_;
  std::vector<Segment> segments_;
  std::int64_t steps_ = 0;
  std::vector<float> first_moments_, second_moments_;
};

}  // namespace gloss

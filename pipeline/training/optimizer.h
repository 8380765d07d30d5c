// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/worker_threads.h"
#include "model/layers/weight_ranges.h"
#include "pipeline/training/muon.h"

namespace gloss {

/// How weights are updated. `muon`: matrices of the hidden layers as muon_update, all others as `adam`.
enum class Update { adam, muon };

/// Adam (Kingma and Ba 2015); with `weight_decay` > 0 AdamW (Loshchilov and Hutter 2019).
struct OptimizerSettings {
  Update update = Update::adam;
  double beta1 = 0.9;
  double beta2 = 0.98;
  double epsilon = 1e-9;
  double muon_momentum = 0.95;
  double weight_decay = 0;
  double clip_norm = 1;
  std::vector<std::string> freeze = {};
  std::vector<std::string> learning_rates = {};  ///< of parts: learning_rate_factors
};
Fields fields_of(OptimizerSettings&);

/// The figures of a step.
struct StepFigures {
  double scale = 1;          ///< of the gradients: 1 / the total weight of the target tokens
  double gradient_norm = 0;  ///< from Optimizer::gradient_norm; finite
  double learning_rate = 0;
};

/// Updates the weights of a flat array. The result is bit-identical for any number of threads.
class Optimizer {
 public:
  /// Updates the weights of the ranges `learned`; all others stay unchanged and have no moments.
  /// `products`: type of Muon's matrix products.
  /// Throws UsageError if a part with its own learning rate is not among them.
  Optimizer(const OptimizerSettings&, std::vector<WeightRange> learned, DType products = DType::f32);

  /// The Euclidean norm, before clipping, of the learned ranges' gradients times `scale`.
  double gradient_norm(std::span<const float> gradients, double scale, WorkerThreads& workers) const;
  void step(std::span<float> values, std::span<const float> gradients, const StepFigures&,
            WorkerThreads& workers);

  /// The state to save and restore: the number of steps, and the moments of each learned parameter.
  std::int64_t steps() const { return steps_; }
  void set_steps(std::int64_t steps) { steps_ = steps; }
  struct Moments {
    const WeightRange& parameter;
    std::span<float> first, second;  ///< as many as the parameter has numbers
  };
  std::vector<Moments> moments();

 private:
  /// Adjacent ranges with the same learning rate, joined.
  struct Segment {
    std::size_t begin, end;
    std::size_t moments;  // offset of its moments
    double rate;          // factor on the learning rate
    bool muon;            // its matrices are updated by Muon, not by Adam
  };
  /// A matrix of a segment for Muon.
  struct LearnedMatrix {
    MuonMatrix matrix;
    std::size_t moments;
    double rate;
  };

  void update_by_adam(const Segment&, std::span<float> values, std::span<const float> gradients, double scale,
                      double learning_rate, WorkerThreads&);
  void update_by_muon(std::span<float> values, std::span<const float> gradients, double scale,
                      double learning_rate, WorkerThreads&);

  OptimizerSettings settings_;
  DType products_;
  std::vector<WeightRange> learned_;
  std::vector<Segment> segments_;
  std::vector<LearnedMatrix> matrices_;  // the largest first
  std::int64_t steps_ = 0;
  std::vector<float> first_moments_, second_moments_;
};

}  // namespace gloss

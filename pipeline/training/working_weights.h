// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/worker_threads.h"
#include "model/kernels/dtype.h"
#include "model/layers/parameters.h"
#include "pipeline/training/loop_settings.h"

namespace gloss {

/// The forms of the learned weights that networks compute with in training: matrices and tables rounded as
/// `gloss quantize` would store them (quantisation-aware training, Jacob et al. 2018), copies in bf16, or
/// both. Several networks can share them; gradients of rounded weights are taken as those of the learned
/// ones.
class WorkingWeights {
 public:
  /// `weights` must outlive this object.
  WorkingWeights(const Parameters& weights, const TrainingSettings&);
  /// Makes them from the current weights again.
  void refresh(WorkerThreads&);
  /// The network of these parameters computes with the working weights from now on.
  void give_to(Parameters&);
  /// The network of these parameters computes with the rounded weights, in f32. They must be rounded.
  void give_rounded_to(Parameters&);

 private:
  /// Some rows of a parameter.
  struct Part {
    std::int64_t offset, rows, columns;
    bool rounded;
  };
  void round_parts(WorkerThreads&);

  std::span<const float> weights_;
  DType type_;  // of rounded weights; f32: not rounded
  std::vector<Part> parts_;
  std::vector<float> rounded_;  // empty: not rounded
  std::vector<Bf16> copies_;    // empty: no copies in bf16
};

/// The working weights for a training; null if networks compute with the learned ones.
std::shared_ptr<WorkingWeights> working_weights(const Parameters& weights, const TrainingSettings&);

}  // namespace gloss

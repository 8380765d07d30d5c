// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <vector>

#include "base/worker_threads.h"
#include "model/kernels/dtype.h"

namespace gloss {

/// Copies of all weights in bf16 that several networks can share.
class WeightCopies {
 public:
  explicit WeightCopies(std::span<const float> weights) : weights_(weights), copies_(weights.size()) {}
  /// Rounds the current weights to bf16 again.
  void refresh(WorkerThreads&);
  std::span<Bf16> values() { return copies_; }

 private:
  std::span<const float> weights_;
  std::vector<Bf16> copies_;
};

}  // namespace gloss

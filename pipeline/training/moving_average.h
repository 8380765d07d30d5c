// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/fields.h"
#include "base/worker_threads.h"

namespace gloss {

/// Settings of the moving average of the weights; `ema_decay` 0: no average.
struct MovingAverageSettings {
  double ema_decay = 0;
};
Fields fields_of(MovingAverageSettings&);

/// The exponential moving average of a flat array of weights: step t (counted from 1) sets it to d times its
/// old value plus (1 - d) times the weights, with d = min(ema_decay, (1 + t) / (10 + t)), so that it soon
/// forgets the initial weights. With ema_decay 0 no average is kept, and all functions do nothing.
class MovingAverage {
 public:
  /// Starts with the current weights, which must outlive it.
  MovingAverage(const MovingAverageSettings&, std::span<float> weights, WorkerThreads& workers);

  void follow(std::int64_t step);
  /// Swaps the average and the weights; a second call swaps them back.
  void exchange();
  /// The array that is not in the place of the weights: the average, or the weights while they are swapped.
  /// Empty if no average is kept.
  std::span<float> other() { return other_; }

 private:
  double decay_;
  std::span<float> weights_;
  WorkerThreads& workers_;
  std::vector<float> other_;
};

/// Puts the moving average in the place of the weights during its lifetime.
class AverageInUse {
 public:
  explicit AverageInUse(MovingAverage& average) : average_(average) { average_.exchange(); }
  ~AverageInUse() { average_.exchange(); }
  AverageInUse(const AverageInUse&) = delete;
  AverageInUse& operator=(const AverageInUse&) = delete;

 private:
  MovingAverage& average_;
};

}  // namespace gloss

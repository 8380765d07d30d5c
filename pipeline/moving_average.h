#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/fields.h"
#include "base/worker_threads.h"

namespace gloss {

/// Whether a moving average of the weights is kept, and how slowly it moves.
struct MovingAverageSettings {
  double ema_decay = 0;
};
Fields fields_of(MovingAverageSettings&);

/// The exponential moving average of a flat array of weights: after step t (counted from 1) it is d times
/// what it was plus (1 - d) times the weights, with d = min(ema_decay, (1 + t) / (10 + t)), so that it soon
/// forgets where the weights started. With ema_decay 0 none is kept, and all functions do nothing.
class MovingAverage {
 public:
  /// Starts as the weights are now; they must live longer.
  MovingAverage(const MovingAverageSettings&, std::span<float> weights, WorkerThreads& workers);

  void follow(std::int64_t step);
  /// Exchanges the average with the weights, number by number; once more brings both back.
  void exchange();
  /// What does not stand in the array of the weights: the average, or, while exchanged, the weights
  /// themselves. Empty if no average is kept.
  std::span<float> other() { return other_; }

 private:
  double decay_;
  std::span<float> weights_;
  WorkerThreads& workers_;
  std::vector<float> other_;
};

/// As long as it lives, the moving average stands in the array of the weights.
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

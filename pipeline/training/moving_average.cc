// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/moving_average.h"

#include <algorithm>

#include "pipeline/training/flat_arrays.h"

namespace gloss {

Fields fields_of(MovingAverageSettings& settings) {
  return {{"ema_decay",
           &settings.ema_decay,
           "decay of an exponential moving average of the weights, such as 0.999; the average is validated "
           "and saved as the model; 0: no average",
           {0, 0.9999999}}};
}

MovingAverage::MovingAverage(const MovingAverageSettings& settings, std::span<float> weights,
                             WorkerThreads& workers)
    : decay_(settings.ema_decay), weights_(weights), workers_(workers) {
  if (decay_ > 0) other_.assign(weights.begin(), weights.end());
}

void MovingAverage::follow(std::int64_t step) {
  if (other_.empty()) return;
  const auto t = static_cast<double>(step);
  const double decay = std::min(decay_, (1 + t) / (10 + t));
  move_towards(other_, weights_, static_cast<float>(1 - decay), workers_);
}

void MovingAverage::exchange() {
  if (!other_.empty()) exchange_arrays(weights_, other_, workers_);
}

}  // namespace gloss

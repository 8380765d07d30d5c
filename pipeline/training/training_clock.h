// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>

namespace gloss {

/// The duration of a training in seconds, including earlier runs.
class TrainingClock {
 public:
  /// Adds the seconds of earlier runs.
  void continue_from(double seconds) { earlier_seconds_ = seconds; }
  double seconds() const {
    return earlier_seconds_ +
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double earlier_seconds_ = 0;
};

}  // namespace gloss

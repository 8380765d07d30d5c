// SPDX-License-Identifier: Apache-2.0

#include "pipeline/runs/window_pace.h"

#include <algorithm>

namespace gloss {

void WindowPace::add(std::size_t items, std::chrono::duration<double> time) {
  constexpr double kSeconds = 2, kMost = 1 << 20;
  constexpr std::size_t kLeast = 128;  // fewer would fill batches badly
  constexpr std::size_t kGrowth = 4;   // the lines of a window may have been short by chance
  const double fitting =
      std::min(kMost, static_cast<double>(items) * kSeconds / std::max(1e-6, time.count()));
  items_ = std::clamp(static_cast<std::size_t>(fitting), kLeast, std::max(kLeast, kGrowth * items));
}

}  // namespace gloss

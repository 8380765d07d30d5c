// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>

namespace gloss {

/// The largest window of a stream.
struct WindowLimits {
  std::size_t items = 8192;
  std::size_t bytes = 1 << 20;
};

/// Makes windows so small that each takes about two seconds: answers come soon, a run that is stopped ends
/// soon, and one that is killed loses little.
class WindowPace {
 public:
  explicit WindowPace(const WindowLimits& limits) : limits_(limits) {}

  /// The limits of the next window.
  WindowLimits limits() const { return {std::min(items_.load(), limits_.items), limits_.bytes}; }
  /// Notes what a window took. Safe to call on many threads.
  void add(std::size_t items, std::chrono::duration<double> time);

 private:
  // So few that also a large network soon answers the first line.
  static constexpr std::size_t kFirst = 16;

  WindowLimits limits_;
  std::atomic<std::size_t> items_ = kFirst;
};

}  // namespace gloss

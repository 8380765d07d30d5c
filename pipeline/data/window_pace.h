// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>

namespace gloss {

/// The largest window of a stream.
struct WindowLimits {
  std::size_t items = 8192;
  std::size_t bytes = 1 << 20;
};

/// Makes windows so small that each takes a few seconds, so that a run that is stopped ends soon and one that
/// is killed loses little.
class WindowPace {
 public:
  /// Without `adapts`, the limits stay.
  WindowPace(const WindowLimits& limits, bool adapts) : limits_(limits), adapts_(adapts) {
    if (adapts && items_ > kFirst) items_ = kFirst;
  }

  /// The limits of the next window.
  WindowLimits limits() const {
    return {adapts_ && items_ < limits_.items ? items_.load() : limits_.items, limits_.bytes};
  }
  /// Notes what a window took. Safe to call on many threads.
  void add(std::size_t items, std::chrono::duration<double> time);

 private:
  static constexpr std::size_t kFirst = 512;

  WindowLimits limits_;
  bool adapts_;
  std::atomic<std::size_t> items_ = kFirst;
};

}  // namespace gloss

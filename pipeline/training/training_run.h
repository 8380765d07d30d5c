// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>

namespace gloss {

/// How a training runs; nothing here changes its result.
struct TrainingRun {
  std::string output;    ///< the training directory
  bool fresh = false;    ///< start over; the first checkpoint replaces an existing training
  bool explain = false;  ///< say what would be done, and write nothing
  int threads = 1;
  std::function<void()> before_saving{};   ///< called before the first checkpoint is written
  std::function<bool()> stop_requested{};  ///< called between updates, first before the first update
};

}  // namespace gloss

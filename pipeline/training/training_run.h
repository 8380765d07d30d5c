// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gloss {

/// Creates or removes files and folders, and returns those that the training has created and that remain, in
/// the order in which they can be removed.
using NewPathsChange = std::function<std::vector<std::string>()>;

/// How a training runs; nothing here changes its result.
struct TrainingRun {
  std::string output;    ///< the training directory
  bool fresh = false;    ///< start over; the first checkpoint replaces an existing training
  bool explain = false;  ///< say what would be done, and write nothing
  int threads = 1;
  /// Calls `change`, and lets no signal end the program meanwhile. A signal before the first checkpoint may
  /// remove the paths that `change` returns.
  std::function<void(const NewPathsChange& change)> change_new_paths = [](const NewPathsChange& change) {
    change();
  };
  std::function<void()> before_saving{};   ///< called before the first checkpoint is written
  std::function<bool()> stop_requested{};  ///< called between updates, first before the first update
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace gloss {

/// What Ctrl-C, SIGTERM and SIGHUP do to a training; there is one at a time. A signal that was ignored
/// before, as nohup does with SIGHUP, stays ignored.
class StopSignals {
 public:
  /// At first a signal prints `farewell`, removes what was made, and ends the program as it does by default.
  explicit StopSignals(std::string farewell);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Files and empty folders that are of use only once there is something to save, in the order in which they
  /// can be removed.
  void made(std::vector<std::string> paths);
  /// From now on signals are remembered instead of ending the program, and what was made stays. A signal that
  /// comes a second or more after the first one still ends it.
  void remember();
  bool received() const;

 private:
  std::string farewell_;
  std::vector<std::string> paths_;
  std::vector<const char*> names_;  // of paths_, up to a null
};

/// Removes what was made (StopSignals) and is of no use yet. Safe in signal handlers.
void remove_what_was_made();

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gloss {

/// From now on Ctrl-C, SIGTERM and SIGHUP arrive on a thread of their own; call it before other threads
/// start. A handler on a thread that computes could overwrite memory: during some matrix products, oneDNN's
/// stack pointer points into a working buffer on the heap (issue 4845, fixed in March 2026). Throws
/// std::system_error if no thread starts.
void receive_signals_on_own_thread();

/// Ends the program as this signal does by default; returns if the signal is blocked on all threads.
void end_by_signal(int signal);

/// From now on Ctrl-C, SIGTERM and SIGHUP remove unfinished files and directories
/// (base/unfinished_file.h, base/unfinished_directory.h), with a message of `who` if there are directories,
/// before they end the program as they do by default.
void remove_unfinished_at_signals(const std::string& who);

/// What Ctrl-C, SIGTERM and SIGHUP do to a training or to a run that can be continued; there is one at a
/// time. A signal that was ignored before, as nohup does with SIGHUP, stays ignored.
class StopSignals {
 public:
  /// At first a signal prints `farewell`, removes the new paths, and ends the program as it does by default.
  /// `notice` is printed at once by a signal that is remembered.
  explicit StopSignals(std::string farewell, std::string notice = "");
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Calls `change`, which creates or removes files and folders, and returns the new paths: those that are of
  /// no use before the first checkpoint, in the order in which they can be removed. A signal that comes
  /// meanwhile takes effect afterwards.
  void change_new_paths(const std::function<std::vector<std::string>()>& change);
  /// From now on signals are remembered instead of ending the program, and the new paths stay. A signal that
  /// comes a second or more after the first one still ends it.
  void remember();
  /// From now on signals end the program as they do by default, and the new paths stay.
  void end_at_once();
  bool received() const;
  /// The first signal that was remembered; 0: none.
  static int first_received();

 private:
  std::string farewell_, notice_;
  std::vector<std::string> paths_;
  std::vector<const char*> names_;  // of paths_, up to a null
};

/// Removes the files and folders that the training created, before its first checkpoint, and unfinished
/// directories. Only for a program
/// that then ends. Safe in signal handlers.
void remove_new_files();

/// From now on a signal ends the program without the farewell.
void drop_farewell();

}  // namespace gloss

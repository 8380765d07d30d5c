// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// From now on signals do what this table says; call it before other threads start. Signals that are ignored
/// or blocked at the start, as nohup does with SIGHUP, stay so. Throws std::system_error if no thread starts.
///
/// | signal                  | effect                                                                       |
/// |-------------------------|------------------------------------------------------------------------------|
/// | SIGINT, SIGTERM, SIGHUP | ends the program as by default, after it removed the short-lived paths       |
/// |                         | (base/short_lived_path.h); StopSignals may remember it instead               |
/// | SIGBUS                  | for a mapped file that was cut: a message, and status 3                      |
/// | SIGSEGV                 | if the memory is limited and short: a message, and status 1                  |
/// | SIGPIPE, SIGXFSZ        | none: the write fails, which is an error or, for a closed pipe, a quiet end  |
void handle_signals();

/// Ends the program as this signal does by default.
[[noreturn]] void end_by_signal(int signal);

/// What Ctrl-C, SIGTERM and SIGHUP do to a training or to a run that can be continued; there is one at a
/// time.
class StopSignals {
 public:
  /// At first a signal prints `farewell` and ends the program. `notice` is printed at once by a signal that
  /// is remembered.
  explicit StopSignals(std::string farewell, std::string notice = "");
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// From now on signals are remembered instead of ending the program. A signal that comes a second or more
  /// after the first one still ends it.
  void remember();
  /// From now on signals end the program without a message.
  void end_at_once();
  bool received() const { return first_received() != 0; }
  /// The first signal that was remembered; 0: none.
  static int first_received();

 private:
  std::string farewell_, notice_;
};

/// From now on a signal ends the program without the farewell.
void drop_farewell();

}  // namespace gloss

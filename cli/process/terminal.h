// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <mutex>
#include <string>

#include "base/listener.h"
#include "cli/process/progress_rate.h"

namespace gloss {

/// Shows notes, warnings and progress on standard error: a bar with rate and time left on a terminal, a plain
/// line now and then elsewhere. Warnings are shown even when quiet. All goes to the log of events, too.
/// As soon as a terminal has text that is typed or answers on standard output, there are no more bars: they
/// would run into one another.
class Terminal : public Listener {
 public:
  /// `command` prefixes every line, as "gloss COMMAND: ". One of several ranks other than the first shows
  /// only warnings, and only from the first progress on: those before are the same on all ranks.
  Terminal(std::string command, bool quiet, bool first_rank = true);
  ~Terminal() override;
  void note(const std::string& text) override;
  void warn(const std::string& text) override;
  void progress(const Progress& progress) override;

 private:
  using Clock = std::chrono::steady_clock;
  void line(const std::string& text);
  void show(const Progress&);
  void remove_bar();
  /// From now on, the terminal is for text.
  void end_bars();
  void log(const Progress&);

  std::string prefix_;
  bool quiet_, terminal_;
  bool warns_;
  bool bar_shown_ = false;
  bool dialogue_ = false;  // there is other text on the terminal: no bars
  ProgressRate rate_;
  Clock::time_point shown_, logged_;
  std::mutex guard_;
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "base/duration.h"
#include "base/index.h"
#include "base/terminal_text.h"
#include "base/text.h"

namespace gloss {
namespace {

constexpr double kTimed = 0.05;  // seconds; a shorter time gives no rate

/// What the rate so far and the job's own projection say, whichever is less; negative: unknown.
double seconds_left(const Progress& progress, double rate) {
  if (progress.total <= progress.done || rate <= 0) return progress.seconds_left;
  const double to_total = static_cast<double>(progress.total - progress.done) / rate;
  return progress.seconds_left < 0 ? to_total : std::min(to_total, progress.seconds_left);
}

std::string rate_text(double rate) {
  return rate >= 100 ? fixed_text(rate, 0) : fixed_text(rate, rate >= 10 ? 1 : 2);
}

std::size_t terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

}  // namespace

Terminal::Terminal(std::string command, bool quiet)
    : prefix_("gloss " + command + ": "), quiet_(quiet), terminal_(isatty(STDERR_FILENO) != 0) {}

Terminal::~Terminal() {
  if (bar_shown_) std::cerr << "\n";
}

void Terminal::line(const std::string& text) {
  if (bar_shown_) std::cerr << "\r\x1b[K";
  bar_shown_ = false;
  std::cerr << prefix_ << terminal_text(text) << std::endl;
}

void Terminal::note(const std::string& text) {
  const std::lock_guard lock(guard_);
  if (!quiet_) line(text);
}

void Terminal::warn(const std::string& text) {
  const std::lock_guard lock(guard_);
  line("warning: " + text);
}

void Terminal::progress(const Progress& progress) {
  const std::lock_guard lock(guard_);
  if (quiet_) return;
  const Clock::time_point now = Clock::now();
  const bool other_job = progress.unit != last_progress_.unit || progress.done < last_progress_.done;
  last_progress_ = progress;
  if (!started_ || other_job) {
    started_ = true;
    start_ = last_ = now;
    done_at_start_ = progress.done;
    return;
  }
  const bool finished = progress.total > 0 && progress.done >= progress.total;
  const double since_last = std::chrono::duration<double>(now - last_).count();
  if (!finished && since_last < (terminal_ ? 0.2 : 10.0)) return;
  last_ = now;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = seconds > 0 ? static_cast<double>(progress.done - done_at_start_) / seconds : 0;
  std::string text =
      concat(progress.done, progress.total > 0 ? concat("/", progress.total) : "", " ", progress.unit);
  if (seconds >= kTimed) text += concat(", ", rate_text(rate), "/s");
  const double left = finished ? -1 : seconds_left(progress, rate);
  if (left >= 0) text += concat(", ", duration_text(left), " left");
  if (!progress.details.empty()) text += ", " + terminal_text(progress.details);
  if (!terminal_) {
    line(text);
    return;
  }
  const std::size_t columns = terminal_columns();
  if (progress.total > 0 && columns > text.size() + 16) {
    const std::size_t width = std::min<std::size_t>(30, columns - text.size() - 5);
    const auto filled = static_cast<std::size_t>(
        static_cast<double>(width) *
        std::min(1.0, static_cast<double>(progress.done) / static_cast<double>(progress.total)));
    text = "[" + std::string(filled, '=') + std::string(width - filled, ' ') + "] " + text;
  }
  std::cerr << "\r" << text.substr(0, columns - 1) << "\x1b[K" << std::flush;
  bar_shown_ = true;
}

}  // namespace gloss

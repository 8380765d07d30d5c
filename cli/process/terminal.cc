// SPDX-License-Identifier: Apache-2.0

#include "cli/process/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iostream>

#include "base/duration.h"
#include "base/index.h"
#include "base/shown.h"
#include "base/terminal_dialogue.h"
#include "base/terminal_text.h"
#include "base/text.h"
#include "cli/process/event_log.h"

namespace gloss {
namespace {

constexpr double kTimed = 0.05;  // seconds; a shorter time gives no rate
// From one bar, line, or entry of the log to the next.
constexpr std::chrono::milliseconds kBar(200), kLine(10'000), kLogged(2'000);

std::string rate_text(double rate) {
  return rate >= 100 ? fixed_text(rate, 0) : fixed_text(rate, rate >= 10 ? 1 : 2);
}

std::size_t terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

}  // namespace

Terminal::Terminal(std::string command, bool quiet, bool first_rank)
    : prefix_("gloss " + command + ": "),
      quiet_(quiet || !first_rank),
      terminal_(isatty(STDERR_FILENO) != 0),
      warns_(first_rank) {
  event_log().begin();
  if (terminal_) before_dialogue([this] { end_bars(); });
}

Terminal::~Terminal() {
  before_dialogue(nullptr);
  if (std::uncaught_exceptions() > 0) remove_bar();  // the work ended early, maybe without a message
  if (bar_shown_) std::cerr << "\n";
}

void Terminal::remove_bar() {
  if (bar_shown_) std::cerr << "\r\x1b[K" << std::flush;
  bar_shown_ = false;
}

void Terminal::end_bars() {
  const std::lock_guard lock(guard_);
  remove_bar();
  dialogue_ = true;
}

void Terminal::line(const std::string& text) {
  remove_bar();
  std::cerr << prefix_ << terminal_text(text) << std::endl;
}

void Terminal::note(const std::string& text) {
  const std::lock_guard lock(guard_);
  const std::string shown = without_middle(text);
  event_log().write("note", {{"text", shown}});
  if (!quiet_) line(shown);
}

void Terminal::warn(const std::string& text) {
  const std::lock_guard lock(guard_);
  const std::string shown = without_middle(text);
  event_log().write("warning", {{"text", shown}});
  if (warns_) line("warning: " + shown);
}

void Terminal::progress(const Progress& progress) {
  const std::lock_guard lock(guard_);
  warns_ = true;
  if (rate_.begins(progress)) {
    shown_ = logged_ = Clock::now();
    return;
  }
  log(progress);
  if (!quiet_ && !dialogue_) show(progress);
}

void Terminal::log(const Progress& progress) {
  const Clock::time_point now = Clock::now();
  if (!event_log().is_open() || now - logged_ < kLogged) return;
  logged_ = now;
  const Pace pace = rate_.pace(progress);
  nlohmann::json members{{"done", progress.done},
                         {"unit", progress.unit},
                         {"seconds", rounded_figure(pace.seconds)},
                         {"per_second", rounded_figure(pace.per_second)}};
  if (progress.total > 0) members["total"] = progress.total;
  if (progress.share >= 0) members["share"] = rounded_figure(progress.share);
  if (pace.tokens_per_second > 0) members["tokens_per_second"] = rounded_figure(pace.tokens_per_second);
  if (pace.seconds_left >= 0) members["seconds_left"] = rounded_figure(pace.seconds_left);
  if (!progress.details.empty()) members["details"] = progress.details;
  event_log().write("progress", members);
}

void Terminal::show(const Progress& progress) {
  const Clock::time_point now = Clock::now();
  // Elsewhere the end of a short job is no news, except for figures such as the loss.
  const bool finished =
      progress.total > 0 && progress.done >= progress.total && (terminal_ || !progress.details.empty());
  if (!finished && now - shown_ < (terminal_ ? kBar : kLine)) return;
  shown_ = now;
  const Pace pace = rate_.pace(progress);
  std::string text =
      concat(progress.done, progress.total > 0 ? concat("/", progress.total) : "", " ", progress.unit);
  if (progress.share >= 0) text += concat(" (", fixed_text(100 * progress.share, 0), " %)");
  if (pace.seconds >= kTimed) text += concat(", ", rate_text(pace.per_second), "/s");
  if (pace.seconds >= kTimed && pace.tokens_per_second > 0)
    text += concat(", ", rate_text(pace.tokens_per_second), " tokens/s");
  if (pace.seconds_left >= 0) text += concat(", ", duration_text(pace.seconds_left), " left");
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

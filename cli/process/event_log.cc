// SPDX-License-Identifier: Apache-2.0

#include "cli/process/event_log.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "base/paths.h"
#include "base/same_inode.h"
#include "base/terminal_text.h"
#include "base/text.h"

namespace gloss {
namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

/// True if the path is standard output or standard error, which has messages too.
bool is_standard_stream(const std::string& path) {
  struct stat named {
  }, stream{};
  return ::stat(path.c_str(), &named) == 0 &&
         std::ranges::any_of(std::array{STDOUT_FILENO, STDERR_FILENO}, [&](int descriptor) {
           return ::fstat(descriptor, &stream) == 0 && same_inode(stream, named);
         });
}

/// Throws UsageError for a regular file with other content than such a log, which lines of a log would
/// damage.
void expect_log(const std::string& path) {
  constexpr std::string_view kStart = "{\"time\":";  // see `append`
  if (!is_file(path) || is_standard_stream(path)) return;
  std::string start(kStart.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), std::ssize(start));
  start.resize(static_cast<std::size_t>(file.gcount()));
  if (start.empty() || start == kStart) return;
  throw UsageError(concat("--log-json: ", path, " exists and is not a log of events, which begins with ",
                          kStart, "; choose another file"));
}

/// True if a run that was killed left a part of a line at the end.
bool ends_within_a_line(const std::string& path) {
  if (!is_file(path)) return false;
  std::ifstream file(path, std::ios::ate | std::ios::binary);
  if (!file || file.tellg() <= 0) return false;
  file.seekg(-1, std::ios::cur);
  return file.get() != '\n';
}

}  // namespace

void EventLog::open(const std::string& path, const std::string& command) {
  expect_log(path);
  append_text(path, ends_within_a_line(path) ? "\n" : "");
  path_ = path;
  command_ = command;
  begun_ = false;
  opened_ = std::chrono::steady_clock::now();
}

double EventLog::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - opened_).count();
}

void EventLog::append(const std::string& event, const nlohmann::json& members) const {
  nlohmann::ordered_json line{{"time", utc_now()}, {"event", event}};
  line.update(members);
  append_text(path_, line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void EventLog::begin() {
  if (!begun_) write("start", {{"command", command_}, {"version", GLOSS_VERSION}, {"process", ::getpid()}});
  begun_ = true;
}

void EventLog::write(const std::string& event, const nlohmann::json& members) {
  if (!is_open()) return;
  try {
    append(event, members);
  } catch (const Error& error) {
    std::cerr << "gloss " << command_ << ": warning: --log-json: " << terminal_text(error.what()) << "\n";
    close();
  }
}

void EventLog::end(int status, const std::string& error) {
  begin();
  nlohmann::json members{{"status", status}, {"seconds", rounded_figure(seconds())}};
  if (!error.empty()) members["error"] = error;
  write("end", members);
  close();
}

double rounded_figure(double figure) { return std::round(figure * 1000) / 1000; }

EventLog& event_log() {
  static EventLog log;
  return log;
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

namespace gloss {

/// What happens in a run, as lines of JSON for schedulers and scripts (`--log-json`). Lines are added to
/// those of earlier runs. Not open, it writes nothing. One thread at a time may call it.
class EventLog {
 public:
  /// Throws Error if the file cannot be written, UsageError if it has other content than such a log.
  void open(const std::string& path, const std::string& command);
  /// Writes nothing from now on: another process of the job does.
  void close() { path_.clear(); }
  bool is_open() const { return !path_.empty(); }
  /// Writes the start of the run if it is not written yet.
  void begin();
  /// Seconds since it was opened.
  double seconds() const;
  /// Writes an event with its members, an object. If that fails, says so once on standard error and is
  /// closed.
  void write(const std::string& event, const nlohmann::json& members);
  /// Writes the end of the run, with the exit status and the error, if there was one.
  void end(int status, const std::string& error = "");

 private:
  void append(const std::string& event, const nlohmann::json& members) const;

  std::string path_, command_;
  bool begun_ = false;  // the event "start" is written
  std::chrono::steady_clock::time_point opened_;
};

/// With three decimals, as figures of the log.
double rounded_figure(double figure);
/// The log of this process.
EventLog& event_log();

}  // namespace gloss

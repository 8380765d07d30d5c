// SPDX-License-Identifier: Apache-2.0

#include "pipeline/pages/logged_training.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files_in_use.h"
#include "base/index.h"
#include "base/json.h"
#include "base/lines.h"
#include "base/shown.h"
#include "model/model_paths.h"

namespace gloss {
namespace {

using nlohmann::json;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargest = 1e30;  // so that results of arithmetic on two numbers are finite

constexpr const char* kNoReports =
    " has no reports yet; a training writes one every --report-interval updates, at each validation and at "
    "its end";

double finite_number(const json& value) {
  const double number = value.is_null() ? kNone : value.get<double>();
  if (std::abs(number) < 1 / kLargest) return 0;
  return std::abs(number) <= kLargest ? number : kNone;
}

std::string log_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (path == "-" || !fs::is_directory(path, ignored)) return path;
  const std::string log = (fs::path(path) / "train.log.jsonl").string();
  if (!fs::exists(log, ignored) && !list_checkpoints(path).empty()) {
    throw InputError(concat(path, kNoReports));
  }
  if (!fs::exists(log, ignored)) {
    throw InputError(concat(path, " has no train.log.jsonl; expected a training directory"));
  }
  return log;
}

LogEntry entry_from(const json& line, const std::string& where) {
  LogEntry entry;
  entry.position.fill(kNone);
  const char* const names[kCurveAxes] = {"update", "tokens", "epoch", "seconds"};
  for (std::size_t i = 0; i < kCurveAxes; ++i) {
    const auto member = line.find(names[i]);
    if (member == line.end()) continue;
    if (!member->is_number() && !member->is_null()) {
      throw InputError(concat(where, ": ", shown(names[i]), " is not a number"));
    }
    entry.position[i] = finite_number(*member);
  }
  for (const auto& [name, value] : line.items()) {
    if (value.is_number() || value.is_null()) entry.numbers[name] = finite_number(value);
  }
  for (const char* name : names) entry.numbers.erase(name);
  return entry;
}

void take_line(const json& line, const std::string& where, LoggedTraining& run) {
  if (!line.is_object() || !line.contains("event") || !line["event"].is_string()) {
    throw InputError(concat(where, ": not an entry of a training log; expected an object with 'event'"));
  }
  const std::string event = line["event"];
  if (event == "report") run.reports.push_back(entry_from(line, where));
  if (event == "validation") run.validations.push_back(entry_from(line, where));
  if (event == "skipped") run.skipped.push_back(entry_from(line, where));
}

/// Converts the epoch numbers of the log to fractional epochs by interpolating between updates; assumes that
/// the last epoch, which may be incomplete, is at least as long as the one before.
void spread_epochs(LoggedTraining& run) {
  constexpr auto kUpdate = static_cast<std::size_t>(CurveAxis::updates);
  constexpr auto kEpoch = static_cast<std::size_t>(CurveAxis::epochs);
  std::vector<LogEntry>* const all[] = {&run.reports, &run.validations, &run.skipped};
  std::map<double, double> ends;  // last update by epoch
  for (const auto* entries : all) {
    for (const LogEntry& entry : *entries) {
      const double update = entry.position[kUpdate], epoch = entry.position[kEpoch];
      if (std::isnan(update) || std::isnan(epoch)) continue;
      const auto [end, added] = ends.emplace(epoch, update);
      end->second = std::max(end->second, update);
    }
  }
  std::map<double, std::pair<double, double>> spans;
  double begin = 0, length = 0;
  for (const auto& [epoch, end] : ends) {
    length = epoch == ends.rbegin()->first ? std::max(length, end - begin) : end - begin;
    spans[epoch] = {begin, length};
    begin = end;
  }
  for (auto* entries : all) {
    for (LogEntry& entry : *entries) {
      const auto span = spans.find(entry.position[kEpoch]);
      if (span == spans.end() || std::isnan(entry.position[kUpdate])) continue;
      const auto [first, updates] = span->second;
      const double share = updates > 0 ? (entry.position[kUpdate] - first) / updates : 1;
      entry.position[kEpoch] += std::clamp(share, 0.0, 1.0) - 1;
    }
  }
}

}  // namespace

LoggedTraining read_logged_training(const std::string& path, const std::string& label, Listener& listener) {
  const std::string log = log_of(path);
  files_in_use().let_grow(log);  // while the training is running
  LineReader reader(log);
  LoggedTraining run;
  run.label = label;
  std::string line;
  while (reader.next(line)) {
    const std::string where = concat(reader.name(), ":", reader.line_number());
    json parsed;
    try {
      parsed = parse_json(line, where, kLineJson);
    } catch (const InputError&) {
      if (reader.next(line)) throw;
      listener.warn(where +
                    ": skipped the incomplete last line; the training is still running or has crashed");
      break;
    }
    take_line(parsed, where, run);
  }
  if (run.empty()) {
    throw InputError(concat(reader.name(), kNoReports));
  }
  spread_epochs(run);
  return run;
}

}  // namespace gloss

#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/listener.h"

namespace gloss {

/// What the progress of a training is measured in.
enum class CurveAxis { updates, tokens, epochs, time };
constexpr std::size_t kCurveAxes = 4;

/// What a training reported at one moment. What is not a finite number, or too large to compute with, is NaN.
struct LogEntry {
  std::array<double, kCurveAxes> position;  ///< by CurveAxis; epochs with their fraction, time in seconds
  std::map<std::string, double> numbers;    ///< by name of the field; null in the log is NaN
  double at(CurveAxis axis) const { return position[static_cast<std::size_t>(axis)]; }
};

/// The log of a training.
struct RunLog {
  std::string label;  ///< any bytes
  std::vector<LogEntry> reports, validations, skipped;
  bool empty() const { return reports.empty() && validations.empty() && skipped.empty(); }
};

/// Reads the log of a training directory, or a log by its own name; "-" is standard input. A last line that a
/// crash left half is left out with a warning. Throws InputError naming file and line.
RunLog read_run_log(const std::string& path, const std::string& label, Listener&);

}  // namespace gloss

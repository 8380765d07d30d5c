// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/index.h"
#include "base/listener.h"

namespace gloss {

/// Units of the progress of a training.
enum class CurveAxis { updates, tokens, epochs, time };
constexpr std::size_t kCurveAxes = 4;

/// One entry of a training log. Values that are not finite, or too large, are NaN.
struct LogEntry {
  std::array<double, kCurveAxes> position;  ///< progress by CurveAxis; fractional epochs, time in seconds
  std::map<std::string, double> numbers;    ///< values by field name; null in the log becomes NaN
  double at(CurveAxis axis) const { return position[static_cast<std::size_t>(axis)]; }
};

/// The log of a training.
struct LoggedTraining {
  std::string label;  ///< any bytes
  std::vector<LogEntry> reports, validations, skipped;
  bool empty() const { return reports.empty() && validations.empty() && skipped.empty(); }
};

/// Reads the log of a training directory, or a log file; "-" is standard input. Skips an incomplete last
/// line, as after a crash, with a warning. Throws InputError that names the file and the line.
LoggedTraining read_logged_training(const std::string& path, const std::string& label, Listener&);

}  // namespace gloss

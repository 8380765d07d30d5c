// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/examples/batching.h"
#include "pipeline/training/loop_settings.h"

namespace gloss {

/// The progress of a training in the units of its limits.
struct TrainingPoint {
  double updates = 0, epochs = 0, tokens = 0;
  double seconds = 0;  ///< of all runs, including validation and saving
};

/// The projected time to a limit.
struct LimitForecast {
  std::string option;  ///< with its value: "--max-updates 600"
  double seconds = 0;  ///< from now
};

/// Measures the updates of a run and projects the time to the limits of the training. The first updates are
/// not measured: they allocate memory and prepare operations for later ones.
class TimeForecast {
 public:
  TimeForecast(const TrainingSettings& settings, const BatchSettings& batches)
      : settings_(settings), batches_(batches) {}

  /// Adds a finished update and its duration.
  void add(const TrainingPoint& now, double update_seconds);
  /// True once: as soon as enough updates are measured to report the cost.
  bool due();
  double seconds_per_update() const;
  /// One entry for each limit, the nearest first. Before an update is measured, there are no entries for
  /// updates, epochs and tokens.
  std::vector<LimitForecast> limits() const;
  /// Seconds to the nearest limit; negative: unknown.
  double seconds_left() const;

 private:
  const TrainingSettings& settings_;
  const BatchSettings& batches_;
  int updates_ = 0;                     // of this run
  std::optional<TrainingPoint> start_;  // of measuring
  TrainingPoint now_;
  int measured_ = 0;
  double measured_seconds_ = 0;
  bool reported_ = false;
};

/// The cost of a training in one line: time per update, memory in use, time to each limit.
std::string cost_text(const TimeForecast&, double resident_mebibytes);

}  // namespace gloss

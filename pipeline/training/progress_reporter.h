// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "base/listener.h"
#include "pipeline/text_models/training_record.h"
#include "pipeline/training/divergence.h"
#include "pipeline/training/loop_settings.h"
#include "pipeline/training/time_forecast.h"
#include "pipeline/training/training_log.h"

namespace gloss {

/// The figures of a finished update.
struct UpdateReport {
  double learning_rate = 0;
  double gradient_norm = 0;
  std::int64_t tokens = 0;     ///< target tokens
  double seconds = 0;          ///< duration
  double waiting_seconds = 0;  ///< time spent waiting for batches since the start of the run
  double passes = 0;           ///< over the corpus, before the update
};

/// Reports updates and validations of a training to the listener and, on the rank that writes, to the log.
/// Once per run it reports the cost of the training: time, memory and the projected end.
class ProgressReporter {
 public:
  /// `log`: null on ranks that do not write. `validates`: the forecast lacks the time for validation. All
  /// must outlive the reporter.
  ProgressReporter(const LoopSettings&, bool validates, TrainingLog* log, Listener&);

  /// Cuts the log to the lines written before the state was saved; warns if the log is damaged.
  void begin(const TrainingState&);
  /// Reports the progress. Every `report_interval` updates, also writes to the log and clears the state's
  /// sums.
  void update(TrainingState&, const UpdateReport&);
  /// At the end of the training, after saving: writes the last update to the log if it was not. The state
  /// does not count this line, so that a training that a higher limit continues cuts it off and has the same
  /// bytes as one without this end.
  void end(const TrainingState&);
  void skipped(const TrainingState&, const std::string& reason, const UpdateFigures&);
  /// Reports the latest validation of the state.
  void validation(const TrainingState&, bool best);

 private:
  struct Update {
    std::int64_t number;
    UpdateReport figures;
  };
  double tokens_per_second() const;  // since the last report
  void show_progress(const TrainingState&, double learning_rate);
  void report(const TrainingState&);
  void report_cost();
  void append(const nlohmann::json& entry);

  const TrainingSettings& settings_;
  bool validation_to_come_;  // no validation yet in this run
  TrainingLog* log_;
  Listener& listener_;
  TimeForecast forecast_;
  std::optional<Update> last_;     // of this run; none if it is reported
  std::int64_t timed_tokens_ = 0;  // since the last report, in this run
  double timed_seconds_ = 0;
  double reported_waiting_ = 0;  // seconds of waiting for batches that are already in reports
};

}  // namespace gloss

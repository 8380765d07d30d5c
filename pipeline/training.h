#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/listener.h"
#include "base/ranks.h"
#include "base/worker_threads.h"
#include "pipeline/batch_stream.h"
#include "pipeline/checkpoint.h"
#include "pipeline/divergence.h"
#include "pipeline/gradient.h"
#include "pipeline/moving_average.h"
#include "pipeline/optimizer.h"
#include "pipeline/precision.h"
#include "pipeline/schedule.h"
#include "pipeline/training_directory.h"
#include "pipeline/weight_ranges.h"

namespace gloss {

/// The figure that decides which model is the best.
enum class StopOn { cross_entropy, bleu, accuracy };

/// When a training ends, validates, saves and reports.
struct TrainingSettings {
  std::int64_t max_updates = 100'000;
  std::int64_t max_epochs = 0;
  std::int64_t max_tokens = 0;
  double max_minutes = 0;
  std::int64_t early_stopping = 0;
  StopOn stop_on = StopOn::cross_entropy;
  std::int64_t valid_interval = 0;
  int keep_checkpoints = 10;
  double save_minutes = 15;
  int report_interval = 100;
  double label_smoothing = 0.1;
  Precision precision = Precision::automatic;
  std::int64_t seed = 1;
};
Fields fields_of(TrainingSettings&);

/// All settings of the training loop.
struct LoopSettings {
  TrainingSettings training;
  BatchSettings batches;
  OptimizerSettings optimizer;
  ScheduleSettings schedule;
  MovingAverageSettings moving_average;
  DivergenceSettings divergence;
};
/// Throws UsageError if settings do not fit together or nothing would ever end the training.
void check(const LoopSettings&);

/// What a training works with.
struct TrainingParts {
  BatchStream& batches;
  std::span<float> weights;
  std::vector<WeightRange> ranges;                 ///< of the parameters in `weights`
  std::vector<std::unique_ptr<Learner>> learners;  ///< over these weights, one per gradient shard
  std::function<ValidationFigures()> validate;     ///< empty: no validation, the latest model is the best
  std::function<void(const std::string& folder)> write_model;
  nlohmann::json data;                   ///< identifies corpus and vocabulary in checkpoints
  std::function<bool()> stop_requested;  ///< asked between updates
  TrainingDirectory* directory;          ///< null: this rank writes nothing
  Listener& listener;
  WorkerThreads& workers;
  Ranks& ranks;  ///< which learn together and keep the same weights
};

/// Why a training ended.
enum class TrainingEnd { max_updates, max_epochs, max_tokens, max_minutes, early_stopping, stopped };

/// Why a training in this state is at its end; nothing if it is not.
std::optional<TrainingEnd> training_end(const TrainingSettings&, const TrainingState&);

/// How much of a training lies behind in a state at the beginning of an update: that share of the limit in
/// updates, epochs (of `epochs` passes, with the part of the present one) or tokens which it is nearest to; 0
/// without such a limit. The limit in updates counts one more, so that the last update is no end as yet.
double training_progress(const TrainingSettings&, const TrainingState&, double epochs);

/// Points the links of a directory to the latest and the best checkpoint of a state, and removes checkpoints
/// that it needs no more: temporary ones, and the oldest beyond `keep_checkpoints`. One whose record cannot
/// be read stays, with a warning.
void tidy_checkpoints(TrainingDirectory&, const TrainingState&, int keep_checkpoints, Listener&);

/// The training loop. While it learns, the array of the weights holds those that the optimizer moves; while
/// it validates and writes, their moving average if one is kept. What it computes is a function of settings
/// and parts, but not of the number of threads, nor of how often it was stopped and continued.
class Training {
 public:
  Training(const LoopSettings&, TrainingParts);
  ~Training() { parts_.ranks.while_waiting({}); }
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  /// Continues from the checkpoint; the weights must already be those of its model.
  void restore(const std::string& checkpoint);
  /// Trains to the end or until any rank is asked to stop; the state is saved then. Throws Error if ten steps
  /// in a row would have done harm, or one if --on-divergence says so; in the latter case the state is saved.
  TrainingEnd run();
  const TrainingState& state() const { return state_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<TrainingEnd> end() const { return training_end(settings_.training, state_); }
  double minutes_since_save() const;
  double next_learning_rate();
  LearningArrays learning_arrays() { return {optimizer_, parts_.ranges, average_.other()}; }
  double seconds() const;
  void take_time();
  /// False if there is nothing to learn from in what is left of the epoch, which is over then.
  bool learn_one_update();
  [[noreturn]] void stop_diverged(const std::string& problem);
  void report_skipped(const std::string& problem, const UpdateFigures&);
  void report(double rate, double gradient_norm);
  ValidationFigures validation_figures();
  void validate();
  bool better(const ValidationFigures&) const;
  bool validation_due() const;
  void begin_writing();
  void append(const nlohmann::json& entry);
  void expect_same_weights();
  void save_if_left_alone();
  void save(bool temporary);
  void write_checkpoint();
  std::int64_t epoch_of_update() const;
  nlohmann::json log_entry(const char* event) const;

  LoopSettings settings_;
  TrainingParts parts_;
  ShardedGradient gradient_;
  Optimizer optimizer_;
  MovingAverage average_;
  std::optional<TrainingLog> log_;  // of the rank that writes
  TrainingState state_;
  std::int64_t saved_update_ = -1;
  std::int64_t failed_save_ = -1;  // the update that could not be saved while others were waited for
  bool resumable_ = false;         // the state is one between two updates
  Clock::time_point started_, last_save_;
  double earlier_seconds_ = 0;     // before this run, as far as the checkpoint knows
  std::int64_t timed_tokens_ = 0;  // since the last report, in this run
  double timed_seconds_ = 0;
  double reported_waiting_ = 0;  // of the seconds that batches were waited for, those in reports
};

}  // namespace gloss

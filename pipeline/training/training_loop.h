// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/listener.h"
#include "base/ranks.h"
#include "base/worker_threads.h"
#include "model/layers/weight_ranges.h"
#include "pipeline/examples/batch_stream.h"
#include "pipeline/text_models/training_record.h"
#include "pipeline/training/checkpoint.h"
#include "pipeline/training/loop_settings.h"
#include "pipeline/training/model_selection.h"
#include "pipeline/training/moving_average.h"
#include "pipeline/training/optimizer.h"
#include "pipeline/training/progress_reporter.h"
#include "pipeline/training/sharded_gradient.h"
#include "pipeline/training/stopping_criteria.h"
#include "pipeline/training/training_directory.h"
#include "pipeline/training/training_log.h"

namespace gloss {

/// The inputs of a training.
struct LoopParts {
  BatchStream& batches;
  std::span<float> weights;
  std::vector<WeightRange> ranges;                 ///< of the parameters in `weights`
  std::vector<std::unique_ptr<Learner>> learners;  ///< over these weights, one per gradient shard
  std::function<ValidationFigures()> validate;     ///< empty: no validation, the latest model is the best
  bool validates_start = false;  ///< also before the first update: the start may be the best
  std::function<void(const std::string& folder)> write_model;
  std::shared_ptr<const nlohmann::json> data;  ///< identifies corpus and vocabulary in checkpoints
  std::function<bool()> stop_requested;        ///< called between updates
  TrainingDirectory* directory;                ///< null: this rank writes nothing
  Listener& listener;
  WorkerThreads& workers;
  Ranks& ranks;           ///< train together and have the same weights
  TrainingClock clock{};  ///< that the training continues
};

/// The training loop. The array of the weights holds the weights that the optimizer updates, except during
/// validation and saving, when it holds their moving average, if there is one. The result depends on settings
/// and parts, but not on the number of threads or on interruptions.
class TrainingLoop {
 public:
  TrainingLoop(const LoopSettings&, LoopParts);
  ~TrainingLoop() { parts_.ranks.while_waiting({}); }
  TrainingLoop(const TrainingLoop&) = delete;
  TrainingLoop& operator=(const TrainingLoop&) = delete;

  /// Continues from the checkpoint; the weights of its model must already be loaded.
  void restore(const std::string& checkpoint);
  /// Plans the number of updates of a new training for the time limit.
  void plan(std::int64_t updates) { state_.planned_updates = updates; }
  /// Trains to the end or until any rank is requested to stop, and saves the state. Throws Error after ten
  /// diverging updates in a row, or, with --on-divergence stop, after saving, at the first one.
  TrainingEnd run();
  const TrainingState& state() const { return state_; }

 private:
  /// The updates and seconds of the whole training at the start of this run.
  struct TrainingPace {
    std::int64_t updates = 0;
    double seconds = 0;
  };

  /// The next update, before it is computed.
  struct NextUpdate {
    UpdateBatches batches;
    DataPosition position;  // after these batches
    double learning_rate;
    double passes;  // over the corpus, before these batches
  };

  std::optional<TrainingEnd> end() const { return training_end(settings_.training, state_); }
  bool stop_requested() const { return parts_.stop_requested && parts_.stop_requested(); }
  /// Does one update; false if the epoch has no batches left and ends.
  bool learn_one_update();
  NextUpdate next_update();
  double next_learning_rate(double passes);
  void skip_update(const std::string& reason, const UpdateFigures&);
  [[noreturn]] void stop_diverged(const std::string& reason);
  void correct_plan();
  bool validation_due() const;
  void validate();
  void save(bool temporary);
  void begin_writing();
  void save_if_left_alone();
  void take_time();
  LearningArrays learning_arrays() { return {optimizer_, parts_.ranges, average_.other()}; }

  LoopSettings settings_;
  LoopParts parts_;
  ShardedGradient gradient_;
  Optimizer optimizer_;
  MovingAverage average_;
  TrainingClock clock_;
  std::optional<TrainingLog> log_;  // only on the rank that writes
  ProgressReporter reporter_;
  ModelSelection selection_;
  CheckpointWriter checkpoints_;
  TrainingState state_;
  bool between_updates_ = false;  // the state can be saved
  TrainingPace pace_;
  std::int64_t failed_save_ = -1;  // the update that could not be saved while waiting for other ranks
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "base/listener.h"
#include "model/layers/weight_ranges.h"
#include "pipeline/text_models/training_record.h"
#include "pipeline/training/moving_average.h"
#include "pipeline/training/optimizer.h"
#include "pipeline/training/training_directory.h"
#include "pipeline/training/training_log.h"

namespace gloss {

/// The duration of a training in seconds, including earlier runs.
class TrainingClock {
 public:
  /// Adds the seconds of earlier runs.
  void continue_from(double seconds) { earlier_seconds_ = seconds; }
  double seconds() const {
    return earlier_seconds_ +
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double earlier_seconds_ = 0;
};

/// The arrays that continuing a training needs in addition to the model's weights.
struct LearningArrays {
  Optimizer& optimizer;
  std::span<const WeightRange> ranges;  ///< of all parameters
  /// The flat array of the weights that the optimizer updates, if the model contains their moving average;
  /// otherwise empty.
  std::span<float> weights;
};

/// Writes the state of the training to a checkpoint: training.json, time.json and optimizer.safetensors.
/// `data` identifies the training data and is stored unchanged.
void write_training(const std::string& folder, const TrainingState&, const nlohmann::json& data,
                    const LearningArrays&);

/// Restores all arrays and the number of steps. Throws InputError if the file has other arrays or impossible
/// numbers.
void read_learning(const std::string& folder, const TrainingState&, const LearningArrays&);

/// The content of checkpoints and the directory they are written to.
struct CheckpointParts {
  TrainingDirectory* directory;  ///< null: this rank writes nothing
  TrainingLog* log;              ///< null if the directory is
  std::function<void(const std::string& folder)> write_model;
  std::shared_ptr<const nlohmann::json> data;  ///< identifies corpus and vocabulary
  LearningArrays learning;
  MovingAverage& average;
  const TrainingClock& clock;
  int keep_checkpoints;
  Listener& listener;
};

/// Writes the checkpoints of a training; the model is the moving average if there is one. Every rank has a
/// writer and saves at the same updates, but only a rank with a directory writes files.
class CheckpointWriter {
 public:
  explicit CheckpointWriter(CheckpointParts parts) : parts_(std::move(parts)) {}

  /// Call after reading the state from a checkpoint.
  void continue_from(const TrainingState& state) { saved_update_ = state.update; }
  bool writes() const { return parts_.directory != nullptr; }
  bool has_checkpoints() const { return !parts_.directory->checkpoints().empty(); }
  void save(const TrainingState&);
  /// Removes checkpoints that are not needed (tidy_checkpoints).
  void tidy(const TrainingState&);
  bool saved(const TrainingState& state) const { return saved_update_ == state.update; }
  double minutes_since_save() const;

 private:
  using Clock = std::chrono::steady_clock;
  void write(const TrainingState&);

  CheckpointParts parts_;
  std::int64_t saved_update_ = -1;
  Clock::time_point last_save_ = Clock::now();
};

/// Points the links `last` and `best` to the latest and best checkpoint of a state, and removes temporary
/// checkpoints and the oldest ones beyond `keep_checkpoints`. Keeps a checkpoint whose record cannot be read,
/// with a warning.
void tidy_checkpoints(TrainingDirectory&, const TrainingState&, int keep_checkpoints, Listener&);

}  // namespace gloss

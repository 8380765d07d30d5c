// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/listener.h"
#include "pipeline/text_models/training_record.h"
#include "pipeline/training/checkpoint.h"
#include "pipeline/training/moving_average.h"
#include "pipeline/training/training_clock.h"
#include "pipeline/training/training_directory.h"
#include "pipeline/training/training_log.h"

namespace gloss {

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

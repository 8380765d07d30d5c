// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/listener.h"
#include "base/ranks.h"
#include "pipeline/training/training.h"
#include "pipeline/training/training_task.h"

namespace gloss {

/// How a training runs; nothing here changes its result.
struct TrainingRun {
  std::string output;  ///< the training directory
  bool fresh = false;  ///< start over; the first checkpoint replaces an existing training
  int threads = 1;
  /// Called with the files and folders that this run has made; they are of no use before it saves.
  std::function<void(const std::vector<std::string>&)> made{};
  std::function<void()> before_saving{};   ///< called before the first checkpoint is written
  std::function<bool()> stop_requested{};  ///< called between updates, first before the first update
};

/// Trains a model, or continues the training in the output directory. Returns why it ended. All ranks train
/// and read the checkpoint to continue from; only rank 0 writes to the directory.
TrainingEnd train_model(TrainingTask&, const TrainingRun&, Listener&, Ranks&);

}  // namespace gloss

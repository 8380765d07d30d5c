// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <string>

#include "base/listener.h"
#include "base/ranks.h"
#include "pipeline/training/training.h"
#include "pipeline/training/training_task.h"

namespace gloss {

/// How a training runs; nothing here changes its result.
struct TrainingRun {
  std::string output;  ///< the training directory
  bool fresh = false;  ///< remove an existing training and start over
  int threads = 1;
  std::function<bool()> stop_requested;  ///< called between updates, first before the first update
};

/// Trains a model, or continues the training in the output directory. Returns why it ended. All ranks train
/// and read the checkpoint to continue from; only rank 0 writes to the directory.
TrainingEnd train_model(TrainingTask&, const TrainingRun&, Listener&, Ranks&);

}  // namespace gloss

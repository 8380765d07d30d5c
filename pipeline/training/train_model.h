// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/listener.h"
#include "base/ranks.h"
#include "pipeline/training/stopping_criteria.h"
#include "pipeline/training/training_task.h"

namespace gloss {

/// Trains a model, or continues the training in the output directory. Returns why it ended. All ranks train
/// and read the checkpoint to continue from; only rank 0 writes to the directory.
TrainingEnd train_model(TrainingTask&, const TrainingRun&, Listener&, Ranks&);

}  // namespace gloss

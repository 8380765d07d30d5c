// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/training/model_training.h"
#include "pipeline/training/pretraining_settings.h"

namespace gloss {

/// Trains a model on plain text, or continues the training in the output directory; see train_model.
TrainingEnd pretrain(const PretrainingSettings&, const TrainingRun&, Listener&, Ranks&);

}  // namespace gloss

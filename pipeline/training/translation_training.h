// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/training/model_training.h"
#include "pipeline/training/translation_training_settings.h"

namespace gloss {

/// Trains a translation model, or continues the training in the output directory; see train_model.
TrainingEnd train_translation(const TranslationTrainingSettings&, const TrainingRun&, Listener&, Ranks&);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/training/classification_training_settings.h"
#include "pipeline/training/model_training.h"

namespace gloss {

/// Trains a classifier, or continues the training in the output directory; see train_model.
TrainingEnd train_classifier(const ClassificationTrainingSettings&, const TrainingRun&, Listener&, Ranks&);

}  // namespace gloss

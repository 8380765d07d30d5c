#pragma once

#include "pipeline/model_training.h"

namespace gloss {

/// All settings of training a network to tell the labels of texts.
struct ClassificationTrainingSettings : ModelTrainingSettings {
  ClassificationTrainingSettings();
  double word_dropout = 0;  ///< probability that a word of a training text is left out (Iyyer et al. 2015)
};
/// Those that say what is learned from.
Fields data_fields_of(ClassificationTrainingSettings&);
/// Every setting as stored in config.json.
Fields all_fields_of(ClassificationTrainingSettings&);
/// Takes of the model that learning starts from, whose network the settings have, labels and the mask.
void take_start(ClassificationTrainingSettings&);
/// Throws UsageError if settings do not fit together.
void check(const ClassificationTrainingSettings&);

/// Trains a classifier, or continues the training that stands in the directory already: train_model.
TrainingEnd train_classifier(const ClassificationTrainingSettings&, const TrainingRun&, Listener&, Ranks&);

}  // namespace gloss

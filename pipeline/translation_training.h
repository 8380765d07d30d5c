#pragma once

#include "pipeline/model_training.h"
#include "pipeline/pair_encoding.h"
#include "pipeline/validation.h"

namespace gloss {

/// All settings of training a translation model from parallel text.
struct TranslationTrainingSettings : ModelTrainingSettings {
  CorpusSettings corpus;
  ValidationSettings validation;
};
/// Those that say what is learned from.
Fields data_fields_of(TranslationTrainingSettings&);
/// Every setting as stored in config.json.
Fields all_fields_of(TranslationTrainingSettings&);
/// Throws UsageError if settings do not fit together.
void check(const TranslationTrainingSettings&);

/// Trains a translation model, or continues the training that stands in the directory already: train_model.
TrainingEnd train_translation(const TranslationTrainingSettings&, const TrainingRun&, Listener&, Ranks&);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <set>
#include <string>

#include "pipeline/media/example_items.h"
#include "pipeline/training/model_training_settings.h"
#include "pipeline/training/train_model.h"

namespace gloss {

/// What becomes of a validation text with answers that the training text lacks.
enum class UnknownAnswers { refuse, wrong };

/// All settings of training a classifier: a network that predicts the labels of texts.
struct ClassificationTrainingSettings : ModelTrainingSettings {
  /// `of_stories`: the texts are stories with questions, and the labels their answers.
  explicit ClassificationTrainingSettings(bool of_stories = false);
  bool stories;
  ItemReading items;
  UnknownAnswers unknown_answers = UnknownAnswers::refuse;  ///< `wrong`: they count as wrong
  double word_dropout = 0;  ///< probability of dropping a word of a training text (Iyyer et al. 2015)
};
/// The settings of the training text.
Fields data_fields_of(ClassificationTrainingSettings&);
/// Every setting as stored in config.json.
Fields all_fields_of(ClassificationTrainingSettings&);
/// --preset classify: a convolutional network, and settings of the training that work for few and for many
/// texts; members that are given stay. Returns the names of these settings. Throws UsageError if another
/// architecture is given.
std::set<std::string> take_classify_preset(ClassificationTrainingSettings&, const Given&);
/// Copies labels and mask token from the starting model, whose network is already in the settings.
void take_start(ClassificationTrainingSettings&);
/// Throws UsageError if settings conflict.
void check(const ClassificationTrainingSettings&);

/// Trains a classifier, or continues the training in the output directory; see train_model.
TrainingEnd train_classifier(const ClassificationTrainingSettings&, const TrainingRun&, Listener&, Ranks&);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/examples/pair_encoding.h"
#include "pipeline/media/example_items.h"
#include "pipeline/training/distillation.h"
#include "pipeline/training/model_training_settings.h"
#include "pipeline/training/train_model.h"
#include "pipeline/training/validation.h"

namespace gloss {

/// All settings of training a translation model from parallel text, or from items and texts, such as images
/// and captions.
struct TranslationTrainingSettings : ModelTrainingSettings {
  CorpusSettings corpus;
  ItemReading items;
  ValidationSettings validation;
  double guided_alignment_weight = 0.1;  ///< of the loss of attention, with files of links
  double r_drop =
      0;  ///< weight of the divergence between two predictions with different dropout; 0: one only
  double doubly_stochastic = 0;  ///< weight of the loss that spreads attention over the source (LossTerms)
  double ctc_weight = 0;         ///< share of the CTC loss (LossTerms)
  TargetOrder target_order = TargetOrder::left_to_right;  ///< of a new model
  DistillationSettings distillation;
  std::shared_ptr<const Teachers> teachers{};  ///< those of `distillation`, opened
  LanguageChoice languages;                    ///< of a starting model with many
  ParallelFiles old_text{};                    ///< that a starting model knew; its BLEU is reported
};
/// The settings of the training and validation text.
Fields data_fields_of(TranslationTrainingSettings&);
/// The settings of the text that only a new model has.
Fields order_fields_of(TranslationTrainingSettings&);
/// The settings of the loss that other trainings do not have.
Fields loss_fields_of(TranslationTrainingSettings&);
/// The text that the starting model knew.
Fields old_fields_of(TranslationTrainingSettings&);
/// Throws UsageError if a setting that needs another one was given without it.
void refuse_unused(const TranslationTrainingSettings&, const Given&);
/// Every setting as stored in config.json.
Fields all_fields_of(TranslationTrainingSettings&);
/// Throws UsageError if settings conflict.
void check(const TranslationTrainingSettings&);

/// Trains a translation model, or continues the training in the output directory; see train_model.
TrainingEnd train_translation(const TranslationTrainingSettings&, const TrainingRun&, Listener&, Ranks&);

}  // namespace gloss

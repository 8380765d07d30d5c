// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/examples/masking.h"
#include "pipeline/examples/noising.h"
#include "pipeline/examples/plain_encoding.h"
#include "pipeline/training/model_training_settings.h"
#include "pipeline/training/train_model.h"

namespace gloss {

/// The training objective on plain text: predict each token from the tokens before it, masked tokens from all
/// others, or the original of a noisy text.
enum class Objective { lm, mlm, denoise };

/// All settings of training a model from plain text.
struct PretrainingSettings : ModelTrainingSettings {
  PretrainingSettings();
  Objective objective = Objective::lm;
  PlainTextSettings plain;
  MaskSettings mask;
  NoiseSettings noise;
};
/// The settings of the training text and of the examples made from it.
Fields data_fields_of(PretrainingSettings&);
/// Every setting as stored in config.json.
Fields all_fields_of(PretrainingSettings&);
Field objective_field(Objective&);
/// The form of network that an objective needs.
Form form_of(Objective);
/// Removes the encoder or decoder from the network if the objective does not need it.
void apply_objective(Objective, NetworkSettings&);
/// Throws UsageError if settings conflict.
void check(const PretrainingSettings&);

/// Trains a model on plain text, or continues the training in the output directory; see train_model.
TrainingEnd pretrain(const PretrainingSettings&, const TrainingRun&, Listener&, Ranks&);

}  // namespace gloss

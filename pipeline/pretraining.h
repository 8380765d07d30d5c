#pragma once

#include "pipeline/masking.h"
#include "pipeline/model_training.h"
#include "pipeline/noising.h"
#include "pipeline/plain_encoding.h"

namespace gloss {

/// What is learned from plain text: to predict each token from those before it, hidden ones from all others,
/// or the text that noise was added to.
enum class Objective { lm, mlm, denoise };

/// All settings of training a model from plain text.
struct PretrainingSettings : ModelTrainingSettings {
  PretrainingSettings();
  Objective objective = Objective::lm;
  PlainTextSettings plain;
  MaskSettings mask;
  NoiseSettings noise;
};
/// Those that say what is learned from, and how text becomes examples.
Fields data_fields_of(PretrainingSettings&);
/// Every setting as stored in config.json.
Fields all_fields_of(PretrainingSettings&);
Field objective_field(Objective&);
/// The form of network that an objective needs.
Form form_of(Objective);
/// Takes the stack of blocks from the network that the objective does not need.
void apply_objective(PretrainingSettings&);
/// Throws UsageError if settings do not fit together.
void check(const PretrainingSettings&);

/// Trains a model from plain text, or continues the training that stands in the directory already:
/// train_model.
TrainingEnd pretrain(const PretrainingSettings&, const TrainingRun&, Listener&, Ranks&);

}  // namespace gloss

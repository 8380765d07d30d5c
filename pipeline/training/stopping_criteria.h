// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>

#include "pipeline/text_models/training_record.h"
#include "pipeline/training/loop_settings.h"

namespace gloss {

/// Why a training ended.
enum class TrainingEnd {
  max_updates,
  max_epochs,
  max_tokens,
  max_minutes,
  early_stopping,
  stopped,
  explained
};

/// The reason why a training in this state has ended; nothing if it has not.
std::optional<TrainingEnd> training_end(const TrainingSettings&, const TrainingState&);

/// The share (0 to 1) of a training that is done at the beginning of an update, by the nearest limit in
/// updates, epochs (`epochs`: passes so far, with a fraction) or tokens; 0 without such a limit. The limit in
/// updates is increased by one, so that the learning rate of the last update is not 0.
double training_progress(const TrainingSettings&, const TrainingState&, double epochs);

}  // namespace gloss

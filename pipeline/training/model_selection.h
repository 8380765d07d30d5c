// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>

#include "pipeline/text_models/training_record.h"
#include "pipeline/training/loop_settings.h"
#include "pipeline/training/moving_average.h"

namespace gloss {

/// Validates the model during training and stores in the training's state which model is the best.
class ModelSelection {
 public:
  /// `validate` is called with the moving average, if there is one, in the place of the weights. Empty: no
  /// validation, and the latest model is the best. Settings and average must outlive this object.
  ModelSelection(const LoopSettings&, std::function<ValidationFigures()> validate, MovingAverage&);

  bool validates() const { return static_cast<bool>(validate_); }
  /// Validates the model and stores the figures in the state. Returns true if it is the best so far: of equal
  /// figures, the one with the lower cross-entropy. Throws
  /// Error if the cross-entropy is not finite.
  bool select(TrainingState&);

 private:
  bool better(const ValidationFigures&, const ValidationFigures& best) const;

  const LoopSettings& settings_;
  std::function<ValidationFigures()> validate_;
  MovingAverage& average_;
};

}  // namespace gloss

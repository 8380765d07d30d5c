// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/model_selection.h"

#include <cmath>
#include <utility>

#include "base/error.h"

namespace gloss {

ModelSelection::ModelSelection(const LoopSettings& settings, std::function<ValidationFigures()> validate,
                               MovingAverage& average)
    : settings_(settings), validate_(std::move(validate)), average_(average) {}

bool ModelSelection::select(TrainingState& state) {
  if (!validates()) {
    state.best_update = state.update;
    return true;
  }
  ValidationFigures figures;
  {
    const AverageInUse in_use(average_);
    figures = validate_();
  }
  if (!std::isfinite(figures.cross_entropy)) {
    throw Error(concat("the training diverged: the cross-entropy of the validation after update ",
                       state.update, " is not a finite number; ", divergence_advice(settings_.divergence)));
  }
  const bool best = state.validations == 0 || better(figures, state.best);
  ++state.validations;
  state.latest = figures;
  if (best) {
    state.best = figures;
    state.best_update = state.update;
  }
  state.without_improvement = best ? 0 : state.without_improvement + 1;
  return best;
}

bool ModelSelection::better(const ValidationFigures& figures, const ValidationFigures& best) const {
  // Equal figures, such as the BLEU of single words, which is 0, say nothing.
  const double gain = settings_.training.stop_on == StopOn::bleu       ? figures.bleu - best.bleu
                      : settings_.training.stop_on == StopOn::accuracy ? figures.accuracy - best.accuracy
                                                                       : 0;
  return gain != 0 ? gain > 0 : figures.cross_entropy < best.cross_entropy;
}

}  // namespace gloss

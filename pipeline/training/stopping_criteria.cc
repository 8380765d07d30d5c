// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/stopping_criteria.h"

#include <algorithm>

namespace gloss {

std::optional<TrainingEnd> training_end(const TrainingSettings& settings, const TrainingState& state) {
  const auto reached = [](auto count, auto limit) { return limit > 0 && count >= limit; };
  if (reached(state.without_improvement, settings.early_stopping)) return TrainingEnd::early_stopping;
  if (reached(state.update, settings.max_updates)) return TrainingEnd::max_updates;
  if (reached(state.position.epoch, settings.max_epochs)) return TrainingEnd::max_epochs;
  if (reached(state.tokens, settings.max_tokens)) return TrainingEnd::max_tokens;
  const bool in_time = state.planned_updates > 0 ? reached(state.update, state.planned_updates)
                                                 : reached(state.seconds, settings.max_minutes * 60);
  if (in_time) return TrainingEnd::max_minutes;
  return std::nullopt;
}

double training_progress(const TrainingSettings& settings, const TrainingState& state, double epochs) {
  const auto share = [](double count, std::int64_t limit) {
    return limit > 0 ? std::min(1.0, count / static_cast<double>(limit)) : 0.0;
  };
  const auto of_updates = [&](std::int64_t limit) {
    return limit > 0 ? share(static_cast<double>(state.update + 1), limit + 1) : 0.0;
  };
  return std::max({of_updates(settings.max_updates), of_updates(state.planned_updates),
                   share(epochs, settings.max_epochs),
                   share(static_cast<double>(state.tokens), settings.max_tokens)});
}

}  // namespace gloss

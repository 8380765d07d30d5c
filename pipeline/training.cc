#include "pipeline/training.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "pipeline/random_purposes.h"

namespace gloss {

std::optional<TrainingEnd> training_end(const TrainingSettings& settings, const TrainingState& state) {
  const auto reached = [](std::int64_t count, std::int64_t limit) { return limit > 0 && count >= limit; };
  if (reached(state.without_improvement, settings.early_stopping)) return TrainingEnd::early_stopping;
  if (reached(state.update, settings.max_updates)) return TrainingEnd::max_updates;
  if (reached(state.position.epoch, settings.max_epochs)) return TrainingEnd::max_epochs;
  return std::nullopt;
}

Training::Training(const LoopSettings& settings, TrainingParts parts)
    : settings_(settings),
      parts_(std::move(parts)),
      gradient_(std::move(parts_.learners)),
      optimizer_(settings.optimizer, parts_.weights.size()),
      log_(parts_.directory.log_path()),
      started_(Clock::now()),
      last_save_(started_) {
  check(settings_);
}

void Training::restore(const std::string& checkpoint) {
  state_ = read_training_record(checkpoint).state;
  read_optimizer(checkpoint, state_, optimizer_);
  saved_update_ = state_.update;
}

TrainingEnd Training::run() {
  const nlohmann::json last_report = log_.cut(state_.log_lines);
  if (last_report.is_object()) earlier_seconds_ = last_report.value("seconds", 0.0);
  if (parts_.directory.checkpoints().empty()) {
    save(true);  // from now on the same command continues; and a full disk shows at once
  } else {
    tidy();  // what the run before did not come to
  }
  while (!end()) {
    if (parts_.stop_requested && parts_.stop_requested()) {
      if (saved_update_ != state_.update) save(true);
      return TrainingEnd::stopped;
    }
    learn_one_update();
    if (validation_due() || end()) {
      validate();
      save(false);
    } else if (minutes_since_save() >= settings_.training.save_minutes) {
      save(true);
    }
  }
  return *end();
}

void Training::learn_one_update() {
  const Clock::time_point begin = Clock::now();
  const UpdateBatches batches = parts_.batches.next(state_.position);
  const std::int64_t update = ++state_.update;
  const Random random =
      random_for(settings_.training.seed, RandomPurpose::updates).derive(static_cast<std::uint64_t>(update));
  const LossFigures figures = gradient_.compute(batches, random, parts_.workers);
  const double rate = learning_rate(settings_.schedule, update, settings_.training.max_updates);
  // An infinite loss makes the norm of its gradient no number, by which the optimizer leaves the step out.
  const double scale = std::isfinite(figures.loss) ? 1 / figures.weight : std::nan("");
  const StepFigures step = optimizer_.step(parts_.weights, gradient_.sum(), scale, rate, parts_.workers);
  gradient_.clear(parts_.workers);

  timed_tokens_ += figures.tokens;
  timed_seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
  state_.tokens += figures.tokens;
  state_.optimizer_steps = optimizer_.steps();
  if (step.skipped) {
    report_skipped();
  } else {
    state_.skipped_in_a_row = 0;
    state_.unreported += figures;
  }
  report(rate, step.gradient_norm);
}

}  // namespace gloss

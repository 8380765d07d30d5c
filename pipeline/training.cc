#include "pipeline/training.h"

#include <algorithm>

#include "base/error.h"
#include "pipeline/random_purposes.h"

namespace gloss {

Training::Training(const LoopSettings& settings, TrainingParts parts)
    : settings_(settings),
      parts_(std::move(parts)),
      gradient_(std::move(parts_.learners), parts_.ranks),
      optimizer_(settings.optimizer, without_frozen(parts_.ranges, settings.optimizer.freeze)),
      average_(settings.moving_average, parts_.weights, parts_.workers),
      started_(Clock::now()),
      last_save_(started_) {
  check(settings_);
  if (parts_.directory != nullptr) log_.emplace(parts_.directory->log_path());
}

void Training::restore(const std::string& checkpoint) {
  state_ = read_training_record(checkpoint).state;
  if (state_.position.window >= parts_.batches.windows()) {
    throw InputError(concat(checkpoint, "/training.json: 'window' is ", state_.position.window,
                            ", expected less than ", parts_.batches.windows(), ", as the text has windows"));
  }
  read_learning(checkpoint, state_, learning_arrays());
  average_.exchange();  // the model's weights are the average, those in the optimizer's file the weights
  earlier_seconds_ = state_.seconds;
  saved_update_ = state_.update;
}

TrainingEnd Training::run() {
  expect_same_weights();
  if (parts_.directory != nullptr) begin_writing();
  parts_.ranks.while_waiting([this] { save_if_left_alone(); });
  take_time();
  while (!end()) {
    resumable_ = true;
    if (on_any(parts_.ranks, parts_.stop_requested && parts_.stop_requested())) {
      if (saved_update_ != state_.update) save(true);
      return TrainingEnd::stopped;
    }
    if (!learn_one_update()) continue;
    if (validation_due() || end()) {
      validate();
      expect_same_weights();
      save(false);
    } else if (minutes_since_save() >= settings_.training.save_minutes) {
      save(true);
    }
  }
  if (state_.temporary) {  // the time ran out while saving, or the limit was lowered to what was done
    validate();
    save(false);
  }
  return *end();
}

bool Training::learn_one_update() {
  const Clock::time_point begin = Clock::now();
  double rate = 0;
  DataPosition position = state_.position;
  std::optional<UpdateBatches> batches;
  together(parts_.ranks, [&] {
    rate = next_learning_rate();
    batches = parts_.batches.next(position);
  });
  if (batches->size() == 0) {
    state_.position = position;
    return false;
  }
  const std::int64_t update = state_.update + 1;
  const Random random =
      random_for(settings_.training.seed, RandomPurpose::updates).derive(static_cast<std::uint64_t>(update));
  const LossFigures figures = gradient_.compute(*batches, random, parts_.workers);
  const double scale = 1 / figures.weight;
  const UpdateFigures seen{figures.loss * scale,
                           optimizer_.gradient_norm(gradient_.sum(), scale, parts_.workers)};
  const std::optional<std::string> problem = divergence(settings_.divergence, state_.recent, seen);
  if (problem && settings_.divergence.on_divergence == OnDivergence::stop) {
    together(parts_.ranks, [&] { stop_diverged(*problem); });
  }
  resumable_ = false;
  if (!problem) {
    optimizer_.step(parts_.weights, gradient_.sum(), {scale, seen.gradient_norm, rate}, parts_.workers);
    average_.follow(optimizer_.steps());
  }
  gradient_.clear(parts_.workers);

  state_.update = update;
  state_.position = position;
  timed_tokens_ += figures.tokens;
  timed_seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
  take_time();
  state_.tokens += figures.tokens;
  state_.optimizer_steps = optimizer_.steps();
  if (problem) {
    together(parts_.ranks, [&] { report_skipped(*problem, seen); });
  } else {
    state_.skipped_in_a_row = 0;
    state_.recent.add(settings_.divergence, seen);
    state_.unreported += figures;
  }
  report(rate, seen.gradient_norm);
  return true;
}

double Training::next_learning_rate() {
  const ScheduleSettings& schedule = settings_.schedule;
  const std::int64_t update = state_.update + 1;
  if (!needs_end(schedule)) return learning_rate(schedule, update, 0);
  const double progress =
      training_progress(settings_.training, state_, parts_.batches.passes(state_.position));
  if (update <= schedule.warmup_updates) state_.warmup_progress = progress;
  const double left_after_warmup = 1 - state_.warmup_progress;
  return learning_rate(schedule, update, left_after_warmup > 0 ? 1 - (1 - progress) / left_after_warmup : 1);
}

double Training::seconds() const {
  return earlier_seconds_ + std::chrono::duration<double>(Clock::now() - started_).count();
}

/// The time of the first rank is that of all, so that it ends all at the same update.
void Training::take_time() {
  state_.seconds = parts_.ranks.first() ? seconds() : 0;
  parts_.ranks.sum({&state_.seconds, 1});
}

}  // namespace gloss

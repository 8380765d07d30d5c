#include "pipeline/training.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"

namespace gloss {
namespace {

// Purposes that random numbers are derived for from the seed.
constexpr std::uint64_t kEpochs = 1;
constexpr std::uint64_t kUpdates = 2;

Random stream(std::int64_t seed, std::uint64_t purpose, std::int64_t number) {
  return Random(static_cast<std::uint64_t>(seed)).derive(purpose).derive(static_cast<std::uint64_t>(number));
}

}  // namespace

std::optional<TrainingEnd> training_end(const TrainingSettings& settings, const TrainingState& state) {
  const auto reached = [](std::int64_t count, std::int64_t limit) { return limit > 0 && count >= limit; };
  if (reached(state.without_improvement, settings.early_stopping)) return TrainingEnd::early_stopping;
  if (reached(state.update, settings.max_updates)) return TrainingEnd::max_updates;
  if (reached(state.epoch, settings.max_epochs)) return TrainingEnd::max_epochs;
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
  const std::int64_t seed = settings_.training.seed;
  if (batches_epoch_ != state_.epoch) {
    batches_.emplace(parts_.corpus, settings_.batches.batch_tokens, stream(seed, kEpochs, state_.epoch));
    batches_epoch_ = state_.epoch;
  }
  std::vector<std::span<const PairIndex>> batches;
  const std::int64_t last = std::min(batches_->size(), state_.batch + settings_.batches.accumulation);
  for (std::int64_t batch = state_.batch; batch < last; ++batch) batches.push_back(batches_->batch(batch));

  const std::int64_t update = state_.update + 1;
  const LossFigures figures =
      gradient_.compute(parts_.corpus, batches, stream(seed, kUpdates, update), parts_.workers);
  const double rate = learning_rate(settings_.schedule, update, settings_.training.max_updates);
  // An infinite loss makes the norm of its gradient no number, by which the optimizer leaves the step out.
  const double scale = std::isfinite(figures.loss) ? 1 / static_cast<double>(figures.tokens) : std::nan("");
  const StepFigures step = optimizer_.step(parts_.weights, gradient_.sum(), scale, rate, parts_.workers);
  gradient_.clear(parts_.workers);

  advance(last - state_.batch);
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

void Training::advance(std::int64_t batches) {
  ++state_.update;
  state_.batch += batches;
  if (state_.batch < batches_->size()) return;
  ++state_.epoch;
  state_.batch = 0;
}

}  // namespace gloss

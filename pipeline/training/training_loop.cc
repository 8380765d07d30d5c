// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/training_loop.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "pipeline/examples/random_purposes.h"

namespace gloss {
namespace {

/// A hash of the numbers.
std::string fingerprint(std::span<const float> values) {
  std::uint64_t state = values.size();
  for (const float value : values) state = mix_bits(state ^ std::bit_cast<std::uint32_t>(value));
  return std::to_string(state);
}

/// Throws Error, on all ranks, if a rank's weights after `update` differ from those of rank 0.
void expect_same_weights(Ranks& ranks, std::span<const float> weights, std::int64_t update) {
  if (ranks.size() == 1) return;
  const int other = different_rank(ranks, fingerprint(weights));
  if (other < 0) return;
  throw Error(concat("after update ", update, ", rank ", other,
                     " has other weights than rank 0; run the same program on processors of the same kind on "
                     "all ranks"));
}

constexpr std::int64_t kMostSkippedInARow = 10;

std::optional<TrainingLog> log_in(const TrainingDirectory* directory) {
  if (directory == nullptr) return std::nullopt;
  return TrainingLog(directory->log_path());
}

}  // namespace

TrainingLoop::TrainingLoop(const LoopSettings& settings, LoopParts parts)
    : settings_(settings),
      parts_(std::move(parts)),
      gradient_(std::move(parts_.learners), parts_.ranks),
      optimizer_(settings.optimizer, without_frozen(parts_.ranges, settings.optimizer.freeze),
                 settings.training.precision == Precision::bf16 ? DType::bf16 : DType::f32),
      average_(settings.moving_average, parts_.weights, parts_.workers),
      clock_(parts_.clock),
      log_(log_in(parts_.directory)),
      reporter_(settings_, static_cast<bool>(parts_.validate), log_ ? &*log_ : nullptr, parts_.listener),
      selection_(settings_, parts_.validate, average_),
      checkpoints_({.directory = parts_.directory,
                    .log = log_ ? &*log_ : nullptr,
                    .write_model = parts_.write_model,
                    .data = parts_.data,
                    .learning = learning_arrays(),
                    .average = average_,
                    .clock = clock_,
                    .keep_checkpoints = settings_.training.keep_checkpoints,
                    .listener = parts_.listener}) {
  check(settings_);
}

void TrainingLoop::restore(const std::string& checkpoint) {
  state_ = read_training_record(checkpoint).state;
  if (state_.position.window >= parts_.batches.windows()) {
    throw InputError(concat(checkpoint, "/training.json: 'window' is ", state_.position.window,
                            ", expected less than ", parts_.batches.windows(),
                            ", the number of windows of the text"));
  }
  read_learning(checkpoint, state_, learning_arrays());
  average_.exchange();  // the model file has the average, the optimizer's file the weights
  clock_.continue_from(state_.seconds);
  checkpoints_.continue_from(state_);
}

TrainingEnd TrainingLoop::run() {
  expect_same_weights(parts_.ranks, parts_.weights, state_.update);
  if (checkpoints_.writes()) begin_writing();
  parts_.ranks.while_waiting([this] { save_if_left_alone(); });
  if (parts_.validates_start && state_.update == 0 && selection_.validates() && state_.validations == 0) {
    validate();
    save(false);
  }
  take_time();
  pace_ = {state_.update, state_.seconds};
  while (!end()) {
    between_updates_ = true;
    if (on_any(parts_.ranks, stop_requested())) {
      if (!checkpoints_.saved(state_)) save(true);
      return TrainingEnd::stopped;
    }
    if (!learn_one_update()) continue;
    correct_plan();
    if (validation_due() || end()) {
      validate();
      expect_same_weights(parts_.ranks, parts_.weights, state_.update);
      save(false);
    } else if (checkpoints_.minutes_since_save() >= settings_.training.save_minutes) {
      save(true);
    }
  }
  if (state_.temporary) {  // the time limit passed while saving, or a limit was lowered
    validate();
    save(false);
  }
  reporter_.end(state_);
  return *end();
}

bool TrainingLoop::learn_one_update() {
  const auto begin = std::chrono::steady_clock::now();
  const NextUpdate next = next_update();
  if (next.batches.size() == 0) {
    state_.position = next.position;
    return false;
  }
  const std::int64_t update = state_.update + 1;
  const Random random =
      random_for(settings_.training.seed, RandomPurpose::updates).derive(static_cast<std::uint64_t>(update));
  const LossFigures losses = gradient_.compute(next.batches, random, parts_.workers);
  const double scale = 1 / losses.weight;
  const UpdateFigures figures{losses.loss * scale,
                              optimizer_.gradient_norm(gradient_.sum(), scale, parts_.workers)};
  const std::optional<std::string> harm = divergence(settings_.divergence, state_.recent, figures);
  if (harm && settings_.divergence.on_divergence == OnDivergence::stop) {
    together(parts_.ranks, [&] { stop_diverged(*harm); });
  }

  between_updates_ = false;
  if (!harm) {
    optimizer_.step(parts_.weights, gradient_.sum(), {scale, figures.gradient_norm, next.learning_rate},
                    parts_.workers);
    average_.follow(optimizer_.steps());
  }
  gradient_.clear(parts_.workers);
  state_.update = update;
  state_.position = next.position;
  state_.tokens += losses.tokens;
  state_.optimizer_steps = optimizer_.steps();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  take_time();
  if (harm) {
    together(parts_.ranks, [&] { skip_update(*harm, figures); });
  } else {
    state_.skipped_in_a_row = 0;
    add_step(state_.recent, settings_.divergence, figures);
    state_.unreported += losses;
  }
  reporter_.update(state_, {next.learning_rate, figures.gradient_norm, losses.tokens, seconds,
                            parts_.batches.waiting_seconds(), next.passes});
  return true;
}

TrainingLoop::NextUpdate TrainingLoop::next_update() {
  std::optional<NextUpdate> next;
  together(parts_.ranks, [&] {
    const double passes = parts_.batches.passes(state_.position);
    const double rate = next_learning_rate(passes);
    DataPosition position = state_.position;
    UpdateBatches batches = parts_.batches.next(position, state_.update + 1);
    next = {std::move(batches), position, rate, passes};
  });
  return std::move(*next);
}

double TrainingLoop::next_learning_rate(double passes) {
  const ScheduleSettings& schedule = settings_.schedule;
  const std::int64_t update = state_.update + 1;
  if (!needs_end(schedule)) return learning_rate(schedule, update, 0);
  const double progress = training_progress(settings_.training, state_, passes);
  if (update <= schedule.warmup_updates) state_.warmup_progress = progress;
  const double left_after_warmup = 1 - state_.warmup_progress;
  return learning_rate(schedule, update, left_after_warmup > 0 ? 1 - (1 - progress) / left_after_warmup : 1);
}

void TrainingLoop::skip_update(const std::string& reason, const UpdateFigures& figures) {
  ++state_.skipped;
  ++state_.skipped_in_a_row;
  reporter_.skipped(state_, reason, figures);
  if (state_.skipped_in_a_row >= kMostSkippedInARow) {
    throw Error(concat("the training diverged: ", kMostSkippedInARow,
                       " updates in a row were skipped, the last is update ", state_.update, ": ", reason,
                       "; ", divergence_advice(settings_.divergence)));
  }
}

void TrainingLoop::stop_diverged(const std::string& reason) {
  if (!checkpoints_.saved(state_)) save(true);
  throw Error(concat("the training diverged at update ", state_.update + 1, ": ", reason, "; saved in ",
                     checkpoints_.writes() ? parts_.directory->path() : "",
                     " the state before that update; to continue without such updates, use ",
                     "--on-divergence skip; ", divergence_advice(settings_.divergence)));
}

/// Once a third of the planned updates is done, the time of those of this run says how many more there will
/// be. The learning rate has not begun to fall by then with --schedule cooldown and up to two thirds of it.
void TrainingLoop::correct_plan() {
  if (state_.planned_updates == 0 || state_.plan_corrected || 3 * state_.update < state_.planned_updates)
    return;
  state_.plan_corrected = true;
  const auto done = static_cast<double>(state_.update - pace_.updates);
  const double each = (state_.seconds - pace_.seconds) / done;
  const double left = settings_.training.max_minutes * 60 - state_.seconds;
  const double planned = static_cast<double>(state_.update) + std::max(0.0, left) / each;
  const auto most = static_cast<double>(3 * state_.planned_updates);
  const std::int64_t before = state_.planned_updates;
  state_.planned_updates = std::max(state_.update, static_cast<std::int64_t>(std::min(planned, most)));
  if (state_.planned_updates == before) return;
  parts_.listener.note(concat("the first ", state_.update, " updates took ", fixed_text(each, 3),
                              " s each, with validations: now ", state_.planned_updates,
                              " updates are planned, instead of ", before));
}

bool TrainingLoop::validation_due() const {
  const std::int64_t interval = settings_.training.valid_interval;
  return interval > 0 ? state_.update % interval == 0 : state_.position.starts_epoch();
}

void TrainingLoop::validate() {
  const bool best = selection_.select(state_);
  if (!selection_.validates()) return;
  take_time();
  reporter_.validation(state_, best);
}

void TrainingLoop::save(bool temporary) {
  // On every rank, also those that do not write: the next steps depend on it.
  state_.temporary = temporary;
  if (!selection_.validates()) state_.best_update = state_.update;
  checkpoints_.save(state_);
}

void TrainingLoop::begin_writing() {
  if (checkpoints_.has_checkpoints()) {
    if (!end() || state_.temporary) reporter_.begin(state_);  // otherwise there is nothing left to report
    checkpoints_.tidy(state_);  // the previous run may have been interrupted before
  } else {
    save(true);               // from now on the same command continues, and a full disk fails early
    reporter_.begin(state_);  // after the checkpoint has replaced another training and its log
  }
}

/// Saves if a signal comes and the other ranks do not answer: one of them has exited, or all must exit, and
/// mpirun does not wait for the end of an update.
void TrainingLoop::save_if_left_alone() {
  if (!checkpoints_.writes() || !between_updates_ || checkpoints_.saved(state_)) return;
  if (!stop_requested() || failed_save_ == state_.update) return;
  try {
    save(true);
  } catch (const Error& error) {
    failed_save_ = state_.update;
    parts_.listener.warn(error.what());  // no exception: the pending exchange must still complete
    return;
  }
  parts_.listener.note(concat("received a signal while waiting for other ranks; saved update ", state_.update,
                              " in ", parts_.directory->path(),
                              "; the same command without --fresh continues"));
}

/// All ranks use the time of rank 0, so that they end at the same update.
void TrainingLoop::take_time() {
  state_.seconds = parts_.ranks.first() ? clock_.seconds() : 0;
  parts_.ranks.sum({&state_.seconds, 1});
}

}  // namespace gloss

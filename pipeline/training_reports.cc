// What a training tells and writes: reports, validations, checkpoints.
#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "pipeline/training.h"

namespace gloss {
namespace {

constexpr std::int64_t kMostSkippedInARow = 10;
/// What helps after divergence; what learns differently is for a new training.
std::string advice(const DivergenceSettings& settings) {
  const std::string renewed =
      "a lower --learning-rate, more --warmup-updates or a smaller --clip-norm make it less likely in a new "
      "training (--fresh)";
  if (settings.spike_deviations == 0) return renewed;
  return concat("if these are no more than spikes, a larger --spike-deviations than ",
                settings.spike_deviations, " (0: none is one) goes on from the last checkpoint; ", renewed);
}

std::string figures_text(const ValidationFigures& figures) {
  std::string text = concat("cross-entropy ", fixed_text(figures.cross_entropy, 4), ", perplexity ",
                            fixed_text(figures.perplexity(), 2));
  if (figures.bits_per_character >= 0) {
    text += concat(", ", fixed_text(figures.bits_per_character, 4), " bits per character");
  }
  if (figures.accuracy >= 0) text += ", accuracy " + fixed_text(figures.accuracy, 2);
  if (figures.bleu >= 0) text += ", BLEU " + fixed_text(figures.bleu, 2);
  return text;
}

/// A hash by which other numbers are noticed.
std::string fingerprint(std::span<const float> values) {
  std::uint64_t state = values.size();
  for (const float value : values) state = mix_bits(state ^ std::bit_cast<std::uint32_t>(value));
  return std::to_string(state);
}

}  // namespace

std::int64_t Training::epoch_of_update() const {
  return state_.position.starts_epoch() ? state_.position.epoch : state_.position.epoch + 1;
}

nlohmann::json Training::log_entry(const char* event) const {
  return {{"event", event},
          {"update", state_.update},
          {"epoch", epoch_of_update()},
          {"tokens", state_.tokens},
          {"seconds", std::round(state_.seconds * 1000) / 1000}};
}

void Training::stop_diverged(const std::string& problem) {
  if (saved_update_ != state_.update) save(true);
  throw Error(concat("the training diverged at update ", state_.update + 1, ": ", problem, "; saved in ",
                     parts_.directory != nullptr ? parts_.directory->path() : "",
                     " as it was before that update; --on-divergence skip continues ",
                     "without such updates; ", advice(settings_.divergence)));
}

void Training::report_skipped(const std::string& problem, const UpdateFigures& figures) {
  ++state_.skipped;
  ++state_.skipped_in_a_row;
  nlohmann::json entry = log_entry("skipped");
  entry["reason"] = problem;
  entry["loss"] = figures.loss;
  entry["gradient_norm"] = figures.gradient_norm;
  append(entry);
  parts_.listener.warn(concat("update ", state_.update, " is skipped: ", problem));
  if (state_.skipped_in_a_row >= kMostSkippedInARow) {
    throw Error(concat("the training diverged: ", kMostSkippedInARow,
                       " updates in a row are skipped, up to update ", state_.update, ", of which ", problem,
                       "; ", advice(settings_.divergence)));
  }
}

void Training::report(double rate, double gradient_norm) {
  const double tokens_per_second =
      timed_seconds_ > 0 ? static_cast<double>(timed_tokens_) / timed_seconds_ : 0;
  const LossFigures& sums = state_.unreported;
  const bool learned = sums.weight > 0;  // else all updates since the last report were skipped
  const auto per_token = [&](double sum) {
    return learned ? nlohmann::json(sum / sums.weight) : nlohmann::json();
  };
  parts_.listener.progress(
      {state_.update, settings_.training.max_updates, "updates",
       concat("epoch ", epoch_of_update(),
              learned ? concat(", loss ", fixed_text(sums.loss / sums.weight, 4)) : "", ", learning rate ",
              fixed_text(rate, 6), ", ", fixed_text(tokens_per_second, 0), " tokens/s")});
  if (state_.update % settings_.training.report_interval != 0) return;
  nlohmann::json entry = log_entry("report");
  entry["loss"] = per_token(sums.loss);
  entry["cross_entropy"] = per_token(sums.cross_entropy);
  entry["perplexity"] = per_token(sums.weight * std::exp(sums.cross_entropy / sums.weight));
  entry["learning_rate"] = rate;
  entry["gradient_norm"] = gradient_norm;
  entry["tokens_per_second"] = std::round(tokens_per_second * 10) / 10;
  const double waiting = parts_.batches.waiting_seconds();
  entry["waiting_seconds"] = std::round((waiting - reported_waiting_) * 1000) / 1000;
  reported_waiting_ = waiting;
  append(entry);
  state_.unreported = {};
  timed_tokens_ = 0;
  timed_seconds_ = 0;
}

bool Training::validation_due() const {
  const std::int64_t interval = settings_.training.valid_interval;
  return interval > 0 ? state_.update % interval == 0 : state_.position.starts_epoch();
}

ValidationFigures Training::validation_figures() {
  const AverageInUse in_use(average_);
  return parts_.validate();
}

void Training::validate() {
  if (!parts_.validate) {
    state_.best_update = state_.update;
    return;
  }
  const ValidationFigures figures = validation_figures();
  if (!std::isfinite(figures.cross_entropy)) {
    throw Error(concat("the training diverged: the cross-entropy of the validation after update ",
                       state_.update, " is not a finite number; ", advice(settings_.divergence)));
  }
  const bool best = better(figures);
  ++state_.validations;
  state_.latest = figures;
  if (best) {
    state_.best = figures;
    state_.best_update = state_.update;
  }
  state_.without_improvement = best ? 0 : state_.without_improvement + 1;

  take_time();
  nlohmann::json entry = log_entry("validation");
  entry["cross_entropy"] = figures.cross_entropy;
  entry["perplexity"] = figures.perplexity();
  if (figures.bleu >= 0) entry["bleu"] = figures.bleu;
  if (figures.accuracy >= 0) entry["accuracy"] = figures.accuracy;
  if (figures.bits_per_character >= 0) entry["bits_per_character"] = figures.bits_per_character;
  entry["best"] = best;
  append(entry);
  parts_.listener.note(
      concat("update ", state_.update, ", epoch ", epoch_of_update(), ": validation ", figures_text(figures),
             best ? ", the best so far" : concat(", best was after update ", state_.best_update)));
}

bool Training::better(const ValidationFigures& figures) const {
  if (state_.validations == 0) return true;
  const ValidationFigures& best = state_.best;
  switch (settings_.training.stop_on) {
    case StopOn::bleu:
      return figures.bleu > best.bleu;
    case StopOn::accuracy:
      return figures.accuracy > best.accuracy;
    case StopOn::cross_entropy:
      break;
  }
  return figures.cross_entropy < best.cross_entropy;
}

void Training::begin_writing() {
  const std::string log_problem = log_->cut(state_.log_lines);
  if (!log_problem.empty()) {
    parts_.listener.warn(log_problem + "; what is left stays, and the training itself has lost nothing");
  }
  if (parts_.directory->checkpoints().empty()) {
    save(true);  // from now on the same command continues; and a full disk shows at once
  } else {
    tidy_checkpoints(*parts_.directory, state_, settings_.training.keep_checkpoints,
                     parts_.listener);  // what the run before did not come to
  }
}

void Training::append(const nlohmann::json& entry) {
  if (log_) log_->append(entry);
}

void Training::expect_same_weights() {
  if (parts_.ranks.size() == 1) return;  // nobody to compare with
  const int other = different_rank(parts_.ranks, fingerprint(parts_.weights));
  if (other < 0) return;
  throw Error(
      concat("after update ", state_.update, " rank ", other,
             " has other weights than rank 0; all ranks must run the same program on processors of the "
             "same kind"));
}

/// A signal and no answer from the others: one of them is gone, or all are to end, and mpirun does not wait
/// for an update to end.
void Training::save_if_left_alone() {
  if (parts_.directory == nullptr || !resumable_ || saved_update_ == state_.update) return;
  if (!parts_.stop_requested || !parts_.stop_requested() || failed_save_ == state_.update) return;
  try {
    save(true);
  } catch (const Error& error) {
    failed_save_ = state_.update;
    parts_.listener.warn(error.what());  // the exchange that is waited for must still come to its end
    return;
  }
  parts_.listener.note(concat("a signal came while waiting for other ranks; saved update ", state_.update,
                              " in ", parts_.directory->path(),
                              ", from where the same command without --fresh continues"));
}

void Training::save(bool temporary) {
  // On every rank, whoever writes: what comes next depends on them.
  state_.temporary = temporary;
  if (!parts_.validate) state_.best_update = state_.update;
  if (parts_.directory != nullptr) write_checkpoint();
  saved_update_ = state_.update;
  last_save_ = Clock::now();
}

void Training::write_checkpoint() {
  log_->sync();
  TrainingState written = state_;
  written.log_lines = log_->lines();
  written.seconds = seconds();
  parts_.directory->write_checkpoint(state_.update, [&](const std::string& folder) {
    const AverageInUse in_use(average_);
    parts_.write_model(folder);
    write_training(folder, written, parts_.data, learning_arrays());
  });
  tidy_checkpoints(*parts_.directory, state_, settings_.training.keep_checkpoints, parts_.listener);
}

double Training::minutes_since_save() const {
  return std::chrono::duration<double, std::ratio<60>>(Clock::now() - last_save_).count();
}

void tidy_checkpoints(TrainingDirectory& directory, const TrainingState& state, int keep_checkpoints,
                      Listener& listener) {
  const auto is_temporary = [&](const Checkpoint& checkpoint) {
    if (checkpoint.update == state.update) return state.temporary;
    if (checkpoint.update == state.best_update) return false;
    try {
      return read_training_record(checkpoint.path).state.temporary;
    } catch (const InputError& error) {
      listener.warn(concat(error.what(), "; the checkpoint stays, remove it if it is of no use"));
      return false;
    }
  };
  std::vector<Checkpoint> kept;
  for (const Checkpoint& checkpoint : directory.checkpoints()) {
    if (checkpoint.update == state.best_update) directory.link("best", checkpoint.update);
    if (!is_temporary(checkpoint)) {
      kept.push_back(checkpoint);
    } else if (checkpoint.update != state.update) {
      directory.remove_checkpoint(checkpoint);
    }
  }
  directory.link("last", state.update);
  const auto limit = static_cast<std::size_t>(keep_checkpoints);
  for (std::size_t i = 0; i + limit < kept.size(); ++i) {
    if (kept[i].update != state.best_update) directory.remove_checkpoint(kept[i]);
  }
}

}  // namespace gloss

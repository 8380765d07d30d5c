// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/progress_reporter.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/memory.h"

namespace gloss {
namespace {

/// The epoch of the last update, counted from 1.
std::int64_t epoch_of_update(const TrainingState& state) {
  return state.position.starts_epoch() ? state.position.epoch : state.position.epoch + 1;
}

nlohmann::json log_entry(const char* event, const TrainingState& state) {
  return {{"event", event},
          {"update", state.update},
          {"epoch", epoch_of_update(state)},
          {"tokens", state.tokens},
          {"seconds", std::round(state.seconds * 1000) / 1000}};
}

/// A learning rate with four significant digits, since it may be very small.
std::string rate_text(double rate) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", rate);
  return text.data();
}

std::string figures_text(const ValidationFigures& figures) {
  std::string text = concat("cross-entropy ", fixed_text(figures.cross_entropy, 4), ", perplexity ",
                            fixed_text(figures.perplexity(), 2));
  if (figures.bits_per_character >= 0) {
    text += concat(", ", fixed_text(figures.bits_per_character, 4), " bits per character");
  }
  if (figures.accuracy >= 0) text += ", accuracy " + fixed_text(figures.accuracy, 2);
  if (figures.bleu >= 0) text += ", BLEU " + fixed_text(figures.bleu, 2);
  if (figures.old_bleu >= 0) text += ", on the old text " + fixed_text(figures.old_bleu, 2);
  return text;
}

}  // namespace

ProgressReporter::ProgressReporter(const LoopSettings& settings, bool validates, TrainingLog* log,
                                   Listener& listener)
    : settings_(settings.training),
      validation_to_come_(validates),
      log_(log),
      listener_(listener),
      forecast_(settings.training, settings.batches) {}

void ProgressReporter::begin(const TrainingState& state) {
  if (log_ == nullptr) return;
  const std::string problem = log_->cut(state.log_lines);
  if (problem.empty()) return;
  listener_.warn(problem + "; the remaining lines are kept, and the training itself is not affected");
}

void ProgressReporter::update(TrainingState& state, const UpdateReport& update) {
  forecast_.add(
      {static_cast<double>(state.update), update.passes, static_cast<double>(state.tokens), state.seconds},
      update.seconds);
  timed_tokens_ += update.tokens;
  timed_seconds_ += update.seconds;
  show_progress(state, update.learning_rate);
  if (forecast_.due()) report_cost();
  last_ = {state.update, update};
  if (state.update % settings_.report_interval != 0) return;
  report(state);
  state.unreported = {};
}

void ProgressReporter::end(const TrainingState& state) {
  if (last_ && last_->number == state.update) report(state);
}

void ProgressReporter::report(const TrainingState& state) {
  const UpdateReport& update = last_->figures;
  const LossFigures& sums = state.unreported;
  const auto per_token = [&](double sum) {  // null if all updates since the last report were skipped
    return sums.weight > 0 ? nlohmann::json(sum / sums.weight) : nlohmann::json();
  };
  nlohmann::json entry = log_entry("report", state);
  entry["loss"] = per_token(sums.loss);
  entry["cross_entropy"] = per_token(sums.cross_entropy);
  entry["perplexity"] = per_token(sums.weight * std::exp(sums.cross_entropy / sums.weight));
  entry["learning_rate"] = update.learning_rate;
  entry["gradient_norm"] = update.gradient_norm;
  entry["tokens_per_second"] = std::round(tokens_per_second() * 10) / 10;
  entry["waiting_seconds"] = std::round((update.waiting_seconds - reported_waiting_) * 1000) / 1000;
  append(entry);
  reported_waiting_ = update.waiting_seconds;
  timed_tokens_ = 0;
  timed_seconds_ = 0;
  last_.reset();
}

double ProgressReporter::tokens_per_second() const {
  return timed_seconds_ > 0 ? static_cast<double>(timed_tokens_) / timed_seconds_ : 0;
}

void ProgressReporter::show_progress(const TrainingState& state, double learning_rate) {
  const LossFigures& sums = state.unreported;
  const std::string loss = sums.weight > 0 ? ", loss " + fixed_text(sums.loss / sums.weight, 4) : "";
  const std::int64_t last = state.planned_updates > 0 ? state.planned_updates : settings_.max_updates;
  listener_.progress({state.update, last, "updates",
                      concat("epoch ", epoch_of_update(state), loss, ", learning rate ",
                             rate_text(learning_rate), ", ", fixed_text(tokens_per_second(), 0), " tokens/s"),
                      forecast_.seconds_left()});
}

void ProgressReporter::report_cost() {
  const char* const more = validation_to_come_ ? "; validation takes extra time" : "";
  listener_.note(cost_text(forecast_, resident_mebibytes()) + more);
}

void ProgressReporter::skipped(const TrainingState& state, const std::string& reason,
                               const UpdateFigures& figures) {
  nlohmann::json entry = log_entry("skipped", state);
  entry["reason"] = reason;
  entry["loss"] = figures.loss;
  entry["gradient_norm"] = figures.gradient_norm;
  append(entry);
  listener_.warn(concat("update ", state.update, " was skipped: ", reason));
}

void ProgressReporter::validation(const TrainingState& state, bool best) {
  validation_to_come_ = false;
  const ValidationFigures& figures = state.latest;
  nlohmann::json entry = log_entry("validation", state);
  entry["cross_entropy"] = figures.cross_entropy;
  entry["perplexity"] = figures.perplexity();
  if (figures.bleu >= 0) entry["bleu"] = figures.bleu;
  if (figures.old_bleu >= 0) entry["old_bleu"] = figures.old_bleu;
  if (figures.accuracy >= 0) entry["accuracy"] = figures.accuracy;
  if (figures.bits_per_character >= 0) entry["bits_per_character"] = figures.bits_per_character;
  entry["best"] = best;
  append(entry);
  listener_.note(concat("update ", state.update, ", epoch ", epoch_of_update(state), ": validation ",
                        figures_text(figures),
                        best ? ", the best so far" : concat(", best was after update ", state.best_update)));
  for (const auto& [source, translation, reference] : figures.samples) {
    listener_.note(concat("  ", source, "  ->  ", translation,
                          translation == reference ? "  (=)" : concat("  (reference: ", reference, ")")));
  }
}

void ProgressReporter::append(const nlohmann::json& entry) {
  if (log_ != nullptr) log_->append(entry);
}

}  // namespace gloss

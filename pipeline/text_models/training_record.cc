// SPDX-License-Identifier: Apache-2.0

#include "pipeline/text_models/training_record.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/json.h"
#include "base/shown.h"

namespace gloss {
namespace {

constexpr int kTrainingRecordFormat = 2;

std::string record_path(const std::string& folder) { return folder + "/training.json"; }
std::string time_path(const std::string& folder) { return folder + "/time.json"; }

Fields time_fields(TrainingState& state) {
  return {{"seconds", &state.seconds, "training time of all runs in seconds", {0, 1e12}}};
}

}  // namespace

double ValidationFigures::perplexity() const { return std::exp(cross_entropy); }

// Norms and losses vary by factors, which become differences of logarithms; a single large value changes the
// mean and the deviation of the logarithm only a little.
double floored_logarithm(double value) { return std::log(std::max(value, 1e-30)); }

void RecentLogarithms::add(double value, double share) {
  const double off = floored_logarithm(value) - mean;
  mean += share * off;
  variance = (1 - share) * (variance + share * off * off);
}

Fields fields_of(DivergenceState& state) {
  constexpr Range kVariance{0, 1e6};
  return {
      {"recent_steps", &state.steps, "number of steps in these statistics", {0, 9e15}},
      {"recent_loss_mean", &state.loss.mean, "mean of log(loss)", {-1e3, 1e3}},
      {"recent_loss_variance", &state.loss.variance, "variance of log(loss)", kVariance},
      {"recent_norm_mean", &state.gradient_norm.mean, "mean of log(gradient norm)", {-1e3, 1e3}},
      {"recent_norm_variance", &state.gradient_norm.variance, "variance of log(gradient norm)", kVariance}};
}

Fields fields_of(TrainingState& state) {
  constexpr Range kCount{0, 9e15};
  Fields fields{
      {"update", &state.update, "number of completed updates", kCount},
      {"epoch", &state.position.epoch, "number of completed passes over the corpus", kCount},
      {"window", &state.position.window, "number of completed windows in this epoch", kCount},
      {"batch", &state.position.batch, "number of completed batches in this window", kCount},
      {"tokens", &state.tokens, "number of target tokens used", kCount},
      {"optimizer_steps", &state.optimizer_steps, "number of optimizer steps", kCount},
      {"skipped", &state.skipped, "number of updates skipped because they would have done harm", kCount},
      {"skipped_in_a_row", &state.skipped_in_a_row, "consecutive skipped updates up to now", kCount},
      {"planned_updates", &state.planned_updates, "updates that fit into the time limit", {0, 1e15}},
      {"plan_corrected", &state.plan_corrected, "they were corrected by the time of the first ones"},
      {"warmup_progress", &state.warmup_progress, "progress of the training after the warm-up", {0, 1}},
      {"unreported_loss", &state.unreported.loss, "loss since the last report"},
      {"unreported_cross_entropy", &state.unreported.cross_entropy, "cross-entropy since the last report"},
      {"unreported_tokens", &state.unreported.tokens, "target tokens since the last report", kCount},
      {"unreported_weight", &state.unreported.weight, "target weight since the last report", kCount},
      {"validations", &state.validations, "number of validations", kCount},
      {"without_improvement", &state.without_improvement, "number of validations since the best one", kCount},
      {"best_update", &state.best_update, "update of the best model", {-1, 9e15}},
      {"best_cross_entropy", &state.best.cross_entropy, "figures of the best validation"},
      {"best_bleu", &state.best.bleu, "figures of the best validation"},
      {"best_bits_per_character", &state.best.bits_per_character, "figures of the best validation"},
      {"best_accuracy", &state.best.accuracy, "figures of the best validation"},
      {"latest_cross_entropy", &state.latest.cross_entropy, "figures of the latest validation"},
      {"latest_bleu", &state.latest.bleu, "figures of the latest validation"},
      {"latest_bits_per_character", &state.latest.bits_per_character, "figures of the latest validation"},
      {"latest_accuracy", &state.latest.accuracy, "figures of the latest validation"},
      {"log_lines", &state.log_lines, "number of lines in the log", kCount},
      {"temporary", &state.temporary, "true if the checkpoint serves only to resume the training"}};
  // Older checkpoints have none of these.
  add_traits(fields, kOptional, state.best.bits_per_character, state.best.accuracy,
             state.latest.bits_per_character, state.latest.accuracy);
  for (Field& field : fields_of(state.recent)) fields.push_back(std::move(field));
  return fields;
}

void write_training_record(const std::string& folder, const TrainingState& state,
                           const nlohmann::json& data) {
  TrainingState copy = state;
  write_json(record_path(folder),
             {{"format", kTrainingRecordFormat}, {"state", fields_to_json(fields_of(copy))}, {"data", data}});
  write_json(time_path(folder), fields_to_json(time_fields(copy)));
}

TrainingRecord read_training_record(const std::string& folder) {
  const std::string path = record_path(folder);
  const nlohmann::json content = read_json(path);
  TrainingRecord record;
  const bool whole = content.is_object() && content.contains("state") && content.contains("data");
  if (!whole || content.value("format", nlohmann::json()) != kTrainingRecordFormat) {
    throw InputError(concat(path, ": expected an object with \"format\": ", kTrainingRecordFormat,
                            ", \"state\" and \"data\""));
  }
  fields_from_json(fields_of(record.state), content["state"], path);
  record.data = std::make_shared<const nlohmann::json>(content["data"]);
  fields_from_json(time_fields(record.state), read_json(time_path(folder)), time_path(folder));
  return record;
}

std::string optimizer_path(const std::string& folder) { return folder + "/optimizer.safetensors"; }

void expect_no_others(const SafetensorsFile& file, const std::set<std::string>& known) {
  for (const auto& [name, array] : file.arrays()) {
    if (!known.contains(name)) throw InputError(concat(file.path(), ": unknown tensor ", shown(name)));
  }
}

void check_learning(const std::string& folder, std::span<const WeightRange> ranges) {
  const SafetensorsFile file(optimizer_path(folder));
  std::set<std::string> known;
  for (const WeightRange& range : ranges) {
    const auto has = [&](const std::string& name) { return file.arrays().contains(name); };
    const auto check = [&](const std::string& name) {
      file.array(name, DType::f32, range.shape);
      known.insert(name);
    };
    const std::string first = range.name + kFirstMoment, second = range.name + kSecondMoment;
    if (has(first) || has(second)) {  // else the parameter is frozen
      check(first);
      check(second);
    }
    if (has(range.name)) check(range.name);
  }
  expect_no_others(file, known);
}

}  // namespace gloss

#include "pipeline/checkpoint.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "model/safetensors.h"

namespace gloss {
namespace {

constexpr int kFormat = 2;
constexpr const char* kFirstMoment = ".first_moment";
// Older checkpoints have none of these.
constexpr const char* kBestBits = "best_bits_per_character";
constexpr const char* kLatestBits = "latest_bits_per_character";
constexpr const char* kBestAccuracy = "best_accuracy";
constexpr const char* kLatestAccuracy = "latest_accuracy";
constexpr const char* kSecondMoment = ".second_moment";

std::string record_path(const std::string& folder) { return folder + "/training.json"; }
std::string time_path(const std::string& folder) { return folder + "/time.json"; }
std::string optimizer_path(const std::string& folder) { return folder + "/optimizer.safetensors"; }

Fields time_fields(TrainingState& state) {
  return {{"seconds", &state.seconds, "of training, over all runs", {0, 1e12}}};
}

/// The numbers of a parameter in a flat array.
std::span<float> numbers_of(const WeightRange& range, std::span<float> flat) {
  return flat.subspan(range.begin, static_cast<std::size_t>(range.shape.count()));
}

/// Every array of optimizer.safetensors, by name, and where its numbers belong.
struct LearningArray {
  std::string name;
  Shape shape;
  std::span<float> numbers;
  float smallest;  // that its numbers may be
};

std::vector<LearningArray> list_arrays(const LearningArrays& learning) {
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  std::vector<LearningArray> arrays;
  for (const Optimizer::Moments& moments : learning.optimizer.moments()) {
    const WeightRange& range = moments.parameter;
    arrays.push_back({range.name + kFirstMoment, range.shape, moments.first, kLowest});
    arrays.push_back({range.name + kSecondMoment, range.shape, moments.second, 0});
  }
  if (learning.weights.empty()) return arrays;
  for (const WeightRange& range : learning.ranges) {
    arrays.push_back({range.name, range.shape, numbers_of(range, learning.weights), kLowest});
  }
  return arrays;
}

/// Throws unless the file has no other arrays than those `known`.
void expect_no_others(const SafetensorsFile& file, const std::set<std::string>& known) {
  for (const auto& [name, array] : file.arrays()) {
    if (!known.contains(name)) throw InputError(concat(file.path(), ": unknown tensor '", name, "'"));
  }
}

}  // namespace

double ValidationFigures::perplexity() const { return std::exp(cross_entropy); }

Fields fields_of(TrainingState& state) {
  constexpr Range kCount{0, 9e15};
  Fields fields{
      {"update", &state.update, "updates done", kCount},
      {"epoch", &state.position.epoch, "whole passes over the corpus", kCount},
      {"window", &state.position.window, "windows done in this epoch", kCount},
      {"batch", &state.position.batch, "batches done in this window", kCount},
      {"tokens", &state.tokens, "target tokens learned from", kCount},
      {"optimizer_steps", &state.optimizer_steps, "steps of the optimizer", kCount},
      {"skipped", &state.skipped, "updates left out because they would have done harm", kCount},
      {"skipped_in_a_row", &state.skipped_in_a_row, "of these, those just now", kCount},
      {"warmup_progress", &state.warmup_progress, "share of the training behind after the warm-up", {0, 1}},
      {"unreported_loss", &state.unreported.loss, "loss since the last report"},
      {"unreported_cross_entropy", &state.unreported.cross_entropy, "cross-entropy since then"},
      {"unreported_tokens", &state.unreported.tokens, "target tokens since then", kCount},
      {"unreported_weight", &state.unreported.weight, "weight of these tokens", kCount},
      {"validations", &state.validations, "validations done", kCount},
      {"without_improvement", &state.without_improvement, "validations since the best one", kCount},
      {"best_update", &state.best_update, "update of the best model", {-1, 9e15}},
      {"best_cross_entropy", &state.best.cross_entropy, "its figures"},
      {"best_bleu", &state.best.bleu, "its figures"},
      {kBestBits, &state.best.bits_per_character, "its figures"},
      {kBestAccuracy, &state.best.accuracy, "its figures"},
      {"latest_cross_entropy", &state.latest.cross_entropy, "figures of the latest validation"},
      {"latest_bleu", &state.latest.bleu, "figures of the latest validation"},
      {kLatestBits, &state.latest.bits_per_character, "figures of the latest validation"},
      {kLatestAccuracy, &state.latest.accuracy, "figures of the latest validation"},
      {"log_lines", &state.log_lines, "reports written", kCount},
      {"temporary", &state.temporary, "exists only to continue from"}};
  for (Field& field : fields_of(state.recent)) fields.push_back(std::move(field));
  return fields;
}

void write_training(const std::string& folder, const TrainingState& state, const nlohmann::json& data,
                    const LearningArrays& learning) {
  TrainingState copy = state;
  write_json(record_path(folder),
             {{"format", kFormat}, {"state", fields_to_json(fields_of(copy))}, {"data", data}});
  write_json(time_path(folder), fields_to_json(time_fields(copy)));
  std::vector<NamedArray> arrays;
  for (const LearningArray& array : list_arrays(learning)) {
    arrays.push_back({array.name, DType::f32, array.shape, array.numbers.data()});
  }
  AtomicFile file(optimizer_path(folder));
  write_safetensors(file, arrays);
  file.commit();
}

TrainingRecord read_training_record(const std::string& folder) {
  const std::string path = record_path(folder);
  const nlohmann::json content = read_json(path);
  TrainingRecord record;
  const bool whole = content.is_object() && content.contains("state") && content.contains("data");
  if (!whole || content.value("format", nlohmann::json()) != kFormat) {
    throw InputError(
        concat(path, ": expected an object with \"format\": ", kFormat, ", \"state\" and \"data\""));
  }
  fields_from_json(fields_of(record.state), content["state"], path,
                   {kBestBits, kLatestBits, kBestAccuracy, kLatestAccuracy});
  record.data = content["data"];
  fields_from_json(time_fields(record.state), read_json(time_path(folder)), time_path(folder));
  return record;
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

void read_learning(const std::string& folder, const TrainingState& state, const LearningArrays& learning) {
  const SafetensorsFile file(optimizer_path(folder));
  std::set<std::string> known;
  for (const LearningArray& array : list_arrays(learning)) {
    const void* data = file.array(array.name, DType::f32, array.shape).data;
    std::memcpy(array.numbers.data(), data, array.numbers.size_bytes());
    for (const float number : array.numbers) {
      if (!(number >= array.smallest)) {
        throw InputError(concat(file.path(), ": the tensor '", array.name, "' has the number ", number,
                                ", expected numbers", array.smallest == 0 ? " of at least 0" : ""));
      }
    }
    known.insert(array.name);
  }
  expect_no_others(file, known);
  learning.optimizer.set_steps(state.optimizer_steps);
}

}  // namespace gloss

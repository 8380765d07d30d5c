#include "pipeline/checkpoint.h"

#include <array>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "base/json.h"
#include "model/safetensors.h"

namespace gloss {
namespace {

constexpr int kFormat = 1;
// Members that checkpoints of earlier versions do not have.
const std::vector<std::string> kLater{"window", "unreported_weight"};
// Over all parameters in the order of their declaration, each from a multiple of 16 numbers on.
constexpr const char* kFirstMoments = "first_moments";
constexpr const char* kSecondMoments = "second_moments";

std::string record_path(const std::string& folder) { return folder + "/training.json"; }
std::string optimizer_path(const std::string& folder) { return folder + "/optimizer.safetensors"; }

}  // namespace

double ValidationFigures::perplexity() const { return std::exp(cross_entropy); }

Fields fields_of(TrainingState& state) {
  constexpr Range kCount{0, 9e15};
  return {{"update", &state.update, "updates done", kCount},
          {"epoch", &state.position.epoch, "whole passes over the corpus", kCount},
          {"window", &state.position.window, "windows done in this epoch", kCount},
          {"batch", &state.position.batch, "batches done in this window", kCount},
          {"tokens", &state.tokens, "target tokens learned from", kCount},
          {"optimizer_steps", &state.optimizer_steps, "steps of the optimizer", kCount},
          {"skipped", &state.skipped, "updates without a finite gradient", kCount},
          {"skipped_in_a_row", &state.skipped_in_a_row, "of these, those just now", kCount},
          {"unreported_loss", &state.unreported.loss, "loss since the last report"},
          {"unreported_cross_entropy", &state.unreported.cross_entropy, "cross-entropy since then"},
          {"unreported_tokens", &state.unreported.tokens, "target tokens since then", kCount},
          {"unreported_weight", &state.unreported.weight, "weight of these tokens", kCount},
          {"validations", &state.validations, "validations done", kCount},
          {"without_improvement", &state.without_improvement, "validations since the best one", kCount},
          {"best_update", &state.best_update, "update of the best model", {-1, 9e15}},
          {"best_cross_entropy", &state.best.cross_entropy, "its figures"},
          {"best_bleu", &state.best.bleu, "its figures"},
          {"latest_cross_entropy", &state.latest.cross_entropy, "figures of the latest validation"},
          {"latest_bleu", &state.latest.bleu, "figures of the latest validation"},
          {"log_lines", &state.log_lines, "reports written", kCount},
          {"temporary", &state.temporary, "exists only to continue from"}};
}

void write_training(const std::string& folder, const TrainingState& state, const nlohmann::json& data,
                    Optimizer& optimizer) {
  TrainingState copy = state;
  write_json(record_path(folder),
             {{"format", kFormat}, {"state", fields_to_json(fields_of(copy))}, {"data", data}});
  const auto size = static_cast<std::int64_t>(optimizer.first_moments().size());
  const std::array<NamedArray, 2> arrays{
      NamedArray{kFirstMoments, DType::f32, {size}, optimizer.first_moments().data()},
      NamedArray{kSecondMoments, DType::f32, {size}, optimizer.second_moments().data()}};
  write_safetensors(optimizer_path(folder), arrays);
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
  fields_from_json(fields_of(record.state), content["state"], path, kLater);
  record.data = content["data"];
  return record;
}

void check_optimizer(const std::string& folder, std::int64_t flat_size) {
  const SafetensorsFile file(optimizer_path(folder));
  for (const char* name : {kFirstMoments, kSecondMoments}) file.array(name, DType::f32, {flat_size});
}

void read_optimizer(const std::string& folder, const TrainingState& state, Optimizer& optimizer) {
  const SafetensorsFile file(optimizer_path(folder));
  const auto read = [&](const char* name, std::span<float> moments) {
    const Shape shape{static_cast<std::int64_t>(moments.size())};
    std::memcpy(moments.data(), file.array(name, DType::f32, shape).data, moments.size_bytes());
  };
  read(kFirstMoments, optimizer.first_moments());
  read(kSecondMoments, optimizer.second_moments());
  optimizer.set_steps(state.optimizer_steps);
}

}  // namespace gloss

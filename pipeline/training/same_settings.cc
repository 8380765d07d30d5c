// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/same_settings.h"

#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/json.h"
#include "base/shown.h"
#include "model/model_directory.h"

namespace gloss {
namespace {

/// A whole number from the settings in a checkpoint.
std::int64_t stored_number(const nlohmann::json& stored, const char* name, const std::string& directory) {
  constexpr std::int64_t kLargest = 1'000'000'000;
  const auto member = stored.find(name);
  if (member != stored.end() && member->is_number_integer() && *member >= 1 && *member <= kLargest)
    return *member;
  throw InputError(concat("config.json of the latest checkpoint in ", directory, ": ", shown(name),
                          " in 'training' is ", member == stored.end() ? "missing" : json_line(*member),
                          ", expected a number from 1 to ", kLargest));
}

/// Throws UsageError unless the value per rank times the number of ranks is unchanged.
void expect_same_together(const Field& field, int ranks_now, const nlohmann::json& stored,
                          const std::string& directory) {
  const std::int64_t ranks_before = stored.contains("ranks") ? stored_number(stored, "ranks", directory) : 1;
  const std::int64_t before = stored_number(stored, field.name.c_str(), directory),
                     value = field_to_json(field);
  if (before * ranks_before == value * ranks_now) return;
  const auto text = [&](std::int64_t number, std::int64_t ranks) {
    return concat(number, ranks == 1 ? "" : concat(" on each of ", ranks, " ranks"));
  };
  throw UsageError(concat("the training in ", directory, " was started with --", option_name(field.name), " ",
                          text(before, ranks_before), ", now it is ", text(value, ranks_now),
                          "; continue with the same total over all ranks, choose another --output, or start "
                          "over with --fresh"));
}

/// True if the model that was in the directory `before` can be the one that is now in `after`.
bool may_have_moved(const nlohmann::json& before, const nlohmann::json& after) {
  if (!before.is_string() || before == "" || after == "") return false;
  std::error_code unknown;
  const std::string from = before, to = after;
  return !std::filesystem::exists(from, unknown) || std::filesystem::equivalent(from, to, unknown);
}

/// True if the setting may change when a training continues.
bool is_free(const Field& field, const ModelTrainingSettings& settings) {
  const TrainingSettings& training = settings.loop.training;
  // A learning rate that falls to 0 at the end depends on the end.
  if (needs_end(settings.loop.schedule) && refers_to(field, training.max_updates, training.max_epochs,
                                                     training.max_tokens, training.max_minutes)) {
    return false;
  }
  return field.has(kFreeOnResume) || (field.has(kLearnsVocabulary) && !settings.tokenizers.learned());
}

}  // namespace

void expect_same_settings(const ModelTrainingSettings& settings, const Fields& all,
                          const nlohmann::json& stored_settings, const std::string& directory) {
  if (!stored_settings.is_object()) return;
  const nlohmann::json stored = with_current_names(stored_settings);
  NetworkSettings network;
  const nlohmann::json defaults = fields_to_json(fields_of(network));
  const StartSettings& start = settings.start;
  const BatchSettings& batches = settings.loop.batches;
  for (const Field& field : all) {
    if (is_free(field, settings)) continue;
    const std::string& name = field.name;
    const nlohmann::json value = field_to_json(field);
    // The directories of starting models may move.
    const bool starts = refers_to(field, start.model, start.from_encoder, start.from_decoder);
    // A training older than a setting of the network used its default.
    const bool newer = field.has(kOptional) && !stored.contains(name);
    if (!newer && !stored.contains(name) && !(starts && value != "")) continue;
    // The result depends on the sum over all ranks.
    if (refers_to(field, batches.batch_tokens, batches.gradient_shards)) {
      expect_same_together(field, settings.ranks, stored, directory);
      continue;
    }
    const nlohmann::json before = newer ? defaults.at(name) : stored.value(name, nlohmann::json(""));
    const bool moved = starts && may_have_moved(before, value);
    if (before == value || moved) continue;
    throw UsageError(
        concat("the training in ", directory, " was started with --", option_name(name), " ",
               json_line(before), ", now it is ", json_line(value),
               "; continue with the same value, choose another --output, or start over with --fresh"));
  }
}

}  // namespace gloss

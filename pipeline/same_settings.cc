#include "pipeline/same_settings.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/json.h"

namespace gloss {
namespace {

/// Settings that may change when a training continues: where files stand (their content is compared), when
/// it ends, what it tells and keeps, and what it takes for harm.
const std::set<std::string> kFree{"source",
                                  "target",
                                  "tsv",
                                  "input",
                                  "valid_source",
                                  "valid_target",
                                  "valid_tsv",
                                  "valid_input",
                                  "tokenizer",
                                  "source_tokenizer",
                                  "target_tokenizer",
                                  "max_updates",
                                  "max_epochs",
                                  "valid_interval",
                                  "early_stopping",
                                  "keep_checkpoints",
                                  "report_interval",
                                  "save_minutes",
                                  "valid_bleu",
                                  "valid_beam_size",
                                  "max_tokens",
                                  "max_minutes",
                                  "on_divergence",
                                  "spike_deviations",
                                  "spike_horizon",
                                  "valid_tokenize",
                                  "valid_lines",
                                  "line_weights",
                                  "ranks"};

/// Models to start from may stand elsewhere, too, but are given or not.
const std::set<std::string> kStarts{"from", "from_encoder", "from_decoder"};

/// But for these where the learning rate falls towards the end.
const std::set<std::string> kCountedEnds{"max_updates", "max_epochs", "max_tokens"};

/// Settings of each rank of which the result depends on the sum over all ranks.
const std::set<std::string> kOfEachRank{"batch_tokens", "gradient_shards"};

/// A whole number of a checkpoint's settings.
std::int64_t stored_number(const nlohmann::json& stored, const char* name, const std::string& directory) {
  constexpr std::int64_t kLargest = 1'000'000'000;
  const auto member = stored.find(name);
  if (member != stored.end() && member->is_number_integer() && *member >= 1 && *member <= kLargest)
    return *member;
  throw InputError(concat("config.json of the latest checkpoint in ", directory, ": 'training' has for '",
                          name, "' ", member == stored.end() ? "nothing" : json_line(*member),
                          ", expected a number from 1 to ", kLargest));
}

/// Throws UsageError unless a whole number of each rank is the same, taken times the ranks.
void expect_same_together(const std::string& name, const nlohmann::json& stored, const nlohmann::json& now,
                          const std::string& directory) {
  const std::int64_t ranks_before = stored.contains("ranks") ? stored_number(stored, "ranks", directory) : 1;
  const std::int64_t before = stored_number(stored, name.c_str(), directory), ranks_now = now.at("ranks"),
                     value = now.at(name);
  if (before * ranks_before == value * ranks_now) return;
  const auto text = [&](std::int64_t number, std::int64_t ranks) {
    return concat(number, ranks == 1 ? "" : concat(" on each of ", ranks, " ranks"));
  };
  throw UsageError(concat("the training in ", directory, " was started with --", option_name(name), " ",
                          text(before, ranks_before), ", now it is ", text(value, ranks_now),
                          "; continue with the same number over all ranks, choose another --output, or start "
                          "over with --fresh"));
}

}  // namespace

void expect_same_settings(const ModelTrainingSettings& settings, const nlohmann::json& now,
                          const nlohmann::json& stored, const std::string& directory) {
  // A training from before a setting of the network came had its default.
  const std::vector<std::string> names = newer_fields();
  const std::set<std::string> newer_names(names.begin(), names.end());
  NetworkSettings network;
  const nlohmann::json defaults = fields_to_json(fields_of(network));
  for (const auto& [name, value] : now.items()) {
    const bool end_counts = kCountedEnds.contains(name) && needs_end(settings.loop.schedule);
    const bool of_learned = name == "vocab_size" || name == "vocab_type";
    const bool unused = of_learned && !settings.tokenizers.learned();
    if ((kFree.contains(name) && !end_counts) || unused) continue;
    if (!stored.is_object()) continue;
    const bool newer = newer_names.contains(name) && !stored.contains(name);
    if (!newer && !stored.contains(name) && !(kStarts.contains(name) && value != "")) continue;
    if (kOfEachRank.contains(name)) {
      expect_same_together(name, stored, now, directory);
      continue;
    }
    const nlohmann::json before = newer ? defaults.at(name) : stored.value(name, nlohmann::json(""));
    const bool moved = kStarts.contains(name) && before != "" && value != "";
    if (before == value || moved) continue;
    throw UsageError(
        concat("the training in ", directory, " was started with --", option_name(name), " ",
               json_line(before), ", now it is ", json_line(value),
               "; continue with the same value, choose another --output, or start over with --fresh"));
  }
}

}  // namespace gloss

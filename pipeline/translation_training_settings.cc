#include <algorithm>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "pipeline/metrics/tokenizers.h"
#include "pipeline/translation_training.h"

namespace gloss {
namespace {

void append(Fields& fields, Fields more) {
  for (Field& field : more) fields.push_back(std::move(field));
}

/// Settings that may change when a training continues: where files stand (their content is compared), when
/// it ends, what it tells and keeps, and what it takes for harm.
const std::set<std::string> kFree{"source",
                                  "target",
                                  "tsv",
                                  "valid_source",
                                  "valid_target",
                                  "valid_tsv",
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
                                  "valid_tokenize",
                                  "valid_lines",
                                  "line_weights",
                                  "ranks"};

/// But for these where the learning rate falls towards the end.
const std::set<std::string> kCountedEnds{"max_updates", "max_epochs", "max_tokens"};

/// Standard input can be one file only.
void check_standard_input(const TranslationTrainingSettings& settings) {
  std::vector<std::string> paths{settings.valid_text.source, settings.valid_text.target,
                                 settings.valid_text.tsv};
  for (const WeightedFiles& corpus : corpora_of(settings.text)) {
    const ParallelFiles& files = corpus.files;
    paths.insert(paths.end(), {files.source, files.target, files.tsv, files.line_weights});
  }
  const auto times = std::count(paths.begin(), paths.end(), "-");
  if (times > 1) throw UsageError("standard input can be read once: found '-' for more than one file");
  if (times > 0 && settings.ranks > 1) {
    throw UsageError(
        "standard input reaches one of several ranks only: found '-', expected a file that all see");
  }
}

/// Settings of each rank of which the result depends on the sum over all ranks.
const std::set<std::string> kOfEachRank{"batch_tokens", "gradient_shards"};

std::string option_name(std::string setting) {
  std::replace(setting.begin(), setting.end(), '_', '-');
  return setting;
}

/// Throws UsageError unless a whole number of each rank is the same, taken times the ranks.
void expect_same_together(const std::string& name, const nlohmann::json& stored, const nlohmann::json& now,
                          const std::string& directory) {
  const std::int64_t ranks_before = stored.value("ranks", std::int64_t{1}), ranks_now = now.at("ranks");
  const std::int64_t before = stored.value(name, std::int64_t{0}), value = now.at(name);
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

Fields all_fields_of(TranslationTrainingSettings& settings) {
  Fields fields = fields_of(settings.text);
  append(fields, fields_of(settings.valid_text, "valid_", "validation text"));
  append(fields, fields_of(settings.corpus));
  append(fields, fields_of(settings.tokenizers));
  append(fields, fields_of(settings.network));
  append(fields, fields_of(settings.loop.training));
  append(fields, fields_of(settings.loop.batches));
  append(fields, fields_of(settings.loop.optimizer));
  append(fields, fields_of(settings.loop.schedule));
  append(fields, fields_of(settings.loop.moving_average));
  append(fields, fields_of(settings.loop.divergence));
  append(fields, fields_of(settings.validation));
  fields.push_back({"ranks", &settings.ranks, "processes that learn together"});
  return fields;
}

void check(const TranslationTrainingSettings& settings) {
  if (!settings.valid_text.empty()) check(settings.valid_text, "valid-");
  check_standard_input(settings);
  of_all_ranks(settings.loop.batches, settings.ranks);
  check(settings.tokenizers);
  check_chosen(settings.network);
  check(settings.loop);
  const TrainingSettings& training = settings.loop.training;
  const bool bleu = settings.validation.bleu && !settings.valid_text.empty();
  if (settings.valid_text.empty() && training.early_stopping > 0) {
    throw UsageError("--early-stopping needs a validation text: --valid-source and --valid-target");
  }
  if (training.stop_on == StopOn::bleu && !bleu) {
    throw UsageError(
        "--stop-on bleu needs a validation text (--valid-source and --valid-target) and --valid-bleu");
  }
  if (bleu) make_tokenizer(settings.validation.tokenize);
  const int positions = settings.network.transformer.max_positions;
  if (settings.corpus.max_length + 1 > positions) {
    throw UsageError(concat("--max-length ", settings.corpus.max_length,
                            " and the end token do not fit into --max-positions ", positions));
  }
}

void expect_same_settings(const TranslationTrainingSettings& settings, const nlohmann::json& stored,
                          const std::string& directory) {
  TranslationTrainingSettings copy = settings;
  const nlohmann::json now = fields_to_json(all_fields_of(copy));
  for (const auto& [name, value] : now.items()) {
    const bool end_counts = kCountedEnds.contains(name) && needs_end(settings.loop.schedule);
    const bool of_learned = name == "vocab_size" || name == "vocab_type";
    const bool unused = of_learned && !settings.tokenizers.learned();
    if ((kFree.contains(name) && !end_counts) || unused) continue;
    if (!stored.is_object() || !stored.contains(name)) continue;
    if (kOfEachRank.contains(name)) {
      expect_same_together(name, stored, now, directory);
      continue;
    }
    if (stored.at(name) == value) continue;
    throw UsageError(
        concat("the training in ", directory, " was started with --", option_name(name), " ",
               json_line(stored.at(name)), ", now it is ", json_line(value),
               "; continue with the same value, choose another --output, or start over with --fresh"));
  }
}

}  // namespace gloss

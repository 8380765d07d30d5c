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
const std::set<std::string> kFree{"source",           "target",           "tsv",
                                  "valid_source",     "valid_target",     "valid_tsv",
                                  "tokenizer",        "source_tokenizer", "target_tokenizer",
                                  "max_updates",      "max_epochs",       "valid_interval",
                                  "early_stopping",   "keep_checkpoints", "report_interval",
                                  "save_minutes",     "valid_bleu",       "valid_beam_size",
                                  "max_tokens",       "max_minutes",      "on_divergence",
                                  "spike_deviations", "valid_tokenize",   "valid_lines",
                                  "line_weights"};

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
  if (std::count(paths.begin(), paths.end(), "-") > 1) {
    throw UsageError("standard input can be read once: found '-' for more than one file");
  }
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
  return fields;
}

void check(const TranslationTrainingSettings& settings) {
  if (!settings.valid_text.empty()) check(settings.valid_text, "valid-");
  check_standard_input(settings);
  check(settings.tokenizers);
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
    const bool unused = name == "vocab_size" && !settings.tokenizers.learned();
    if ((kFree.contains(name) && !end_counts) || unused) continue;
    if (!stored.is_object() || !stored.contains(name) || stored.at(name) == value) continue;
    std::string option = name;
    for (char& letter : option) letter = letter == '_' ? '-' : letter;
    throw UsageError(
        concat("the training in ", directory, " was started with --", option, " ", json_line(stored.at(name)),
               ", now it is ", json_line(value),
               "; continue with the same value, choose another --output, or start over with --fresh"));
  }
}

}  // namespace gloss

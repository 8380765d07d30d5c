// SPDX-License-Identifier: Apache-2.0

#include "base/error.h"
#include "cli/commands/source_options.h"
#include "cli/commands/training_command.h"
#include "cli/process/with_ranks.h"
#include "cli/table/commands.h"
#include "pipeline/training/translation_training.h"

namespace gloss {
namespace {

constexpr const char* kCorpora =
    "Several --source and --target files are several corpora. With --corpus-weights\n"
    "1 4 an epoch has the lines of the first corpus once and those of the second four\n"
    "times; with 0.5 a line is in every other epoch. The text may be larger than\n"
    "memory: see --shuffle-window.\n"
    "\n";
constexpr const char* kTrainRanks =
    "\n"
    "'mpirun -n N gloss train ...' trains on N processes with these batches each, like\n"
    "one process with N times --batch-tokens and --gradient-shards.\n";

/// One tokenizer for each side has no embeddings in common: unless the user chose, only the target's are
/// tied.
bool ties_target_only(const TranslationTrainingSettings& settings, const Options& options) {
  return !settings.tokenizers.source_tokenizer.empty() &&
         !options.given(settings.network.sizes.tied_embeddings);
}

constexpr const char* kItems =
    "With --source-type image, the model learns to describe images, and with audio to\n"
    "write down recordings: --source is a list of PNG, JPEG and PNM or of WAV, FLAC and\n"
    "OGG files, one path a line (relative ones belong to the folder of the list), or an\n"
    "idx archive of images, and line N of --target is the text of item N; or --tsv has\n"
    "lines PATH<tab>TEXT. 'gloss translate' then reads such a list.\n"
    "\n";

/// Throws UsageError for options that have no effect with the type of the source.
void check_source(const Options& options, TranslationTrainingSettings& settings) {
  const auto refuse = [&](const Fields& fields, const std::string& reason) {
    refuse_given(options, fields, reason);
  };
  SourceOptions{settings.network.source, settings.items}.complete(options);
  if (settings.network.source.is_text()) return;
  const Fields vocabulary = fields_of(settings.tokenizers);
  Fields two_sided;
  for (const Field& field : vocabulary) {
    if (field.has(kTwoSided)) two_sided.push_back(field);
  }
  refuse(two_sided, "the only tokenizer is that of the target");
  refuse(fields_of(settings.distillation), "it is for text");
  Fields data = data_fields_of(settings);
  refuse({field_of(data, settings.text.guided_alignment)}, "the source has no words that could be aligned");
  settings.text.items = true;
}

struct TrainRequest {
  TranslationTrainingSettings settings;
  TrainingCommand command;
};

void add_options(Options& options, TrainRequest& request) {
  auto& [settings, command] = request;
  options.usage("--source FILE --target FILE --output DIR [OPTION...]",
                "train a translation model on parallel text");
  options.add("Data", data_fields_of(settings));
  Fields vocabulary = fields_of(settings.tokenizers);
  append(vocabulary, order_fields_of(settings));
  options.add("Vocabulary", vocabulary);
  SourceOptions{settings.network.source, settings.items}.add_to(options);
  Fields network{command.preset_field(Purpose::translation)};
  append(network, fields_for(Purpose::translation, settings.network));
  options.add("Network", network);
  options.common({command.preset()});
  TrainingCommand::add_loop_options(options, settings.loop, {StopOn::cross_entropy, StopOn::bleu},
                                    loss_fields_of(settings));
  options.add("Validation", fields_of(settings.validation));
  options.add("Distillation", fields_of(settings.distillation));
  command.add_run_options(options);
  TrainingCommand::show_planned(options, settings, false);
  options.common({&settings.text.source, &settings.text.target, &settings.valid_text.source,
                  &settings.valid_text.target, &settings.tokenizers.vocab_size,
                  &settings.loop.training.max_updates, &settings.loop.batches.batch_tokens});
  options.example("Train a model; all else is chosen from the text",
                  "gloss train --source train.en --target train.de --output run");
  options.example("The best model that half an hour gives",
                  "gloss train --tsv train.tsv --max-minutes 30 -o run");
  options.epilogue(std::string(kCorpora) + kItems + kTrainingDirectoryHelp + kTrainRanks);
}

int train(const Options& options, TrainRequest& request, Ranks& ranks) {
  TranslationTrainingSettings& settings = request.settings;
  TrainingCommand& command = request.command;
  command.check(options, ranks, settings.loop);
  together(ranks, [&] {
    refuse_unused(settings, options.given());
    check_source(options, settings);
  });
  const bool target_only = ties_target_only(settings, options);
  together(ranks, [&] {
    command.choose_sizes(options, settings, [target_only](NetworkSettings& sized) {
      if (target_only) sized.sizes.tied_embeddings = TiedEmbeddings::target;
    });
    TrainingCommand::plan(options, ranks, settings, all_fields_of(settings));
    fit_length(options, settings.corpus.max_length, settings.network.sizes.max_positions - 1);
  });
  command.train(options, ranks, settings.loop, [&](const TrainingRun& run, Listener& listener) {
    if (target_only) {
      listener.note(
          "two tokenizers: --tied-embeddings is 'target'; 'all' needs the same pieces on both sides");
    }
    warn_of_unused_validation(options, settings, listener);
    together(ranks, [&] {
      expect_vocabulary_of_teacher(settings.distillation, settings.tokenizers);
      settings.teachers = open_teachers(settings.distillation, run.threads, listener);
    });
    train_translation(settings, run, listener, ranks);
  });
  return 0;
}

int run_train(const Options& options, TrainRequest& request) {
  return with_ranks([&](Ranks& ranks) { return train(options, request, ranks); });
}

}  // namespace

Work declare_train(Options& options) { return work_on<TrainRequest>(options, add_options, run_train); }

}  // namespace gloss

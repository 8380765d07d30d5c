#include "base/error.h"
#include "cli/commands.h"
#include "cli/training_command.h"
#include "cli/with_ranks.h"
#include "pipeline/translation_training.h"

namespace gloss {
namespace {

constexpr const char* kCorpora =
    "Several --source and --target files are corpora that are learned from together;\n"
    "with --corpus-weights 1 4 an epoch sees the lines of the first once and those\n"
    "of the second four times, with 0.5 each line in every other epoch. The text may\n"
    "be larger than memory: see --shuffle-window.\n"
    "\n";
constexpr const char* kRanks =
    "\n"
    "'mpirun -n N gloss train ...' trains on N processes, each with these batches,\n"
    "as one would with N times --batch-tokens and --gradient-shards.\n";

/// One tokenizer for each side has no embeddings in common, if the user did not choose.
void adapt_tied_embeddings(TranslationTrainingSettings& settings, const Options& options,
                           Listener& listener) {
  TiedEmbeddings& tied = settings.network.transformer.tied_embeddings;
  if (settings.tokenizers.source_tokenizer.empty() || options.given("tied_embeddings") ||
      tied != TiedEmbeddings::all) {
    return;
  }
  tied = TiedEmbeddings::target;
  listener.note("two tokenizers: --tied-embeddings is 'target', since 'all' needs one for both sides");
}

int train(std::span<const std::string> arguments, Ranks& ranks) {
  TranslationTrainingSettings settings;
  TrainingCommand command;
  Options options("train", "--source FILE --target FILE --output DIR [OPTION...]",
                  "train a translation model on parallel text");
  options.add("Data", data_fields_of(settings));
  options.add("Vocabulary", fields_of(settings.tokenizers));
  Fields network{command.preset_field()};
  for (Field& field : fields_of(settings.network)) network.push_back(field);
  options.add("Network", network);
  TrainingCommand::add_loop_options(options, settings.loop);
  options.add("Validation", fields_of(settings.validation));
  command.add_run_options(options);
  options.epilogue(std::string(kCorpora) + kTrainingDirectoryHelp + kRanks);
  if (!command.parse(options, arguments, ranks)) return 0;
  together(ranks, [&] { settings.network = command.with_sizes(options, settings.network); });
  command.train(options, ranks, settings.loop.batches.gradient_shards,
                [&](const TrainingRun& run, Listener& listener) {
                  adapt_tied_embeddings(settings, options, listener);
                  train_translation(settings, run, listener, ranks);
                });
  return 0;
}

}  // namespace

int run_train(std::span<const std::string> arguments) {
  return with_ranks([&](Ranks& ranks) { return train(arguments, ranks); });
}

}  // namespace gloss

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/threads.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/profile_table.h"
#include "cli/stop_signals.h"
#include "cli/terminal.h"
#include "cli/with_ranks.h"
#include "pipeline/translation_training.h"

namespace gloss {
namespace {

constexpr const char* kEpilogue =
    "Several --source and --target files are corpora that are learned from together;\n"
    "with --corpus-weights 1 4 an epoch sees the lines of the first once and those\n"
    "of the second four times, with 0.5 each line in every other epoch. The text may\n"
    "be larger than memory: see --shuffle-window.\n"
    "\n"
    "The output directory holds checkpoint-N after N updates, each a model directory\n"
    "with all that is needed to continue, the links best and last to two of them, and\n"
    "train.log.jsonl. The same command again continues where it stopped, and gives\n"
    "the same result as if it had not. Ctrl-C, SIGTERM and SIGHUP save and end with\n"
    "status 0; a second one ends at once.\n"
    "\n"
    "The result depends on --gradient-shards and --precision, and not on --threads.\n"
    "\n"
    "'mpirun -n N gloss train ...' trains on N processes, each with these batches,\n"
    "as one would with N times --batch-tokens and --gradient-shards.\n";

/// The settings with the sizes of the preset, or of the architecture, and above them those that were given.
NetworkSettings with_sizes(Preset preset, NetworkSettings given, const Options& options) {
  NetworkSettings settings;
  if (given.architecture == Architecture::transformer) {
    apply_preset(preset, settings.transformer);
  } else if (options.given("preset")) {
    throw UsageError(
        "--preset has sizes of transformers only; give those of this architecture by themselves");
  } else {
    apply_defaults(given.architecture, settings.transformer);
  }
  const Fields from = fields_of(given), to = fields_of(settings);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (options.given(from[i].name)) set_field(to[i], field_text(from[i]), from[i].name);
  }
  refuse_unused(settings, [&](const std::string& name) { return options.given(name); });
  return settings;
}

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
  TrainingRun run;
  run.threads = available_processors();
  Preset preset = Preset::base;
  bool profiled = false;

  Options options("train", "--source FILE --target FILE --output DIR [OPTION...]",
                  "train a translation model on parallel text");
  Fields data = fields_of(settings.text);
  for (Field& field : fields_of(settings.valid_text, "valid_", "validation text")) data.push_back(field);
  for (Field& field : fields_of(settings.corpus)) data.push_back(field);
  options.add("Data", data);
  options.add("Vocabulary", fields_of(settings.tokenizers));
  Fields network{
      {"preset", preset_choice(preset), "sizes of a transformer; those given beside it count more"}};
  for (Field& field : fields_of(settings.network)) network.push_back(field);
  options.add("Network", network);
  options.add("Training", fields_of(settings.loop.training));
  options.add("Batches", fields_of(settings.loop.batches));
  Fields optimizer = fields_of(settings.loop.schedule);
  for (Field& field : fields_of(settings.loop.optimizer)) optimizer.push_back(field);
  for (Field& field : fields_of(settings.loop.moving_average)) optimizer.push_back(field);
  options.add("Optimizer", optimizer);
  options.add("Divergence", fields_of(settings.loop.divergence));
  options.add("Validation", fields_of(settings.validation));
  options.add("Run", {{"output", &run.output, "directory of the training", {}, 'o'},
                      {"fresh", &run.fresh, "starts over: removes the training that stands there"},
                      {"threads", &run.threads, "threads to compute with", {1, 1024}, 'j'},
                      profile_field(profiled)});
  options.epilogue(kEpilogue);
  bool starts = false;
  together(ranks, [&] {
    starts = options.parse(arguments);
    if (starts && run.output.empty()) {
      throw UsageError("where shall the model go? Give a directory with --output DIR");
    }
  });
  if (!starts) return 0;

  Terminal terminal("train", options.quiet());
  Listener silent;
  Listener& listener = ranks.first() ? static_cast<Listener&>(terminal) : silent;
  together(ranks, [&] { settings.network = with_sizes(preset, settings.network, options); });
  adapt_tied_embeddings(settings, options, listener);
  // Signals are caught from the first update on: before there is nothing to save.
  std::optional<StopSignals> signals;
  run.stop_requested = [&signals] {
    if (!signals) signals.emplace();
    return signals->received();
  };
  const ProfileTable profile(profiled && ranks.first());
  train_translation(settings, run, listener, ranks);
  profile.print(std::min(run.threads, settings.loop.batches.gradient_shards));
  return 0;
}

}  // namespace

int run_train(std::span<const std::string> arguments) {
  return with_ranks([&](Ranks& ranks) { return train(arguments, ranks); });
}

}  // namespace gloss

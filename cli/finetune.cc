#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/finetune_classify.h"
#include "cli/training_command.h"
#include "cli/with_ranks.h"
#include "pipeline/pretraining.h"
#include "pipeline/translation_training.h"

namespace gloss {
namespace {

constexpr const char* kHelp =
    "Learning on is training as any other: it stops, continues, and writes the same\n"
    "kind of directory. The network, the vocabulary and the normalisation of text are\n"
    "those of the model; what it has no weights for begins as in a new one. With old\n"
    "text beside the new, several --source and --target (or --input) files and\n"
    "--corpus-weights, it forgets less of what it knew.\n"
    "\n";

/// What a model can learn on for.
struct FinetuningTask {
  const char* name;
  int (*run)(Options&, Field task, std::span<const std::string> arguments, Ranks&);
};

/// Much shorter than for a new network: there is no need to move far.
void apply_finetuning_defaults(LoopSettings& loop) {
  loop.schedule.learning_rate = 0.0002;
  loop.schedule.warmup_updates = 200;
}

int finetune_translation(Options& options, Field task, std::span<const std::string> arguments, Ranks& ranks) {
  TranslationTrainingSettings settings;
  TrainingCommand command;
  apply_finetuning_defaults(settings.loop);
  TrainingCommand::add_start_options(options, settings, {task});
  options.add("Data", data_fields_of(settings));
  TrainingCommand::add_loop_options(options, settings.loop);
  options.add("Validation", fields_of(settings.validation));
  command.add_run_options(options);
  options.epilogue(std::string(kHelp) + kTrainingDirectoryHelp);
  if (!command.parse(options, arguments, ranks)) return 0;
  TrainingCommand::take_start(options, ranks, Form::encoder_decoder, settings);
  if (!options.given("max_length")) {
    const int longest = settings.network.transformer.max_positions - 1;
    settings.corpus.max_length = std::min(settings.corpus.max_length, longest);
  }
  command.train(
      options, ranks, settings.loop.batches.gradient_shards,
      [&](const TrainingRun& run, Listener& listener) { train_translation(settings, run, listener, ranks); });
  return 0;
}

int finetune_on_text(Objective objective, Options& options, Field task,
                     std::span<const std::string> arguments, Ranks& ranks) {
  PretrainingSettings settings;
  TrainingCommand command;
  settings.objective = objective;
  apply_finetuning_defaults(settings.loop);
  TrainingCommand::add_start_options(options, settings, {task});
  options.add("Data", data_fields_of(settings));
  TrainingCommand::add_loop_options(options, settings.loop);
  command.add_run_options(options);
  options.epilogue(std::string(kHelp) + kTrainingDirectoryHelp);
  if (!command.parse(options, arguments, ranks)) return 0;
  TrainingCommand::take_start(options, ranks, form_of(objective), settings);
  if (!options.given("block_length")) {
    settings.plain.block_length =
        std::min(settings.plain.block_length, settings.network.transformer.max_positions);
  }
  command.train(
      options, ranks, settings.loop.batches.gradient_shards,
      [&](const TrainingRun& run, Listener& listener) { pretrain(settings, run, listener, ranks); });
  return 0;
}

template <Objective objective>
int finetune_with(Options& options, Field task, std::span<const std::string> arguments, Ranks& ranks) {
  return finetune_on_text(objective, options, std::move(task), arguments, ranks);
}

constexpr auto kTasks = std::to_array<FinetuningTask>({{"translate", finetune_translation},
                                                       {"classify", finetune_classifier},
                                                       {"lm", finetune_with<Objective::lm>},
                                                       {"mlm", finetune_with<Objective::mlm>},
                                                       {"denoise", finetune_with<Objective::denoise>}});

int finetune(std::span<const std::string> arguments, Ranks& ranks) {
  int chosen = 0;
  std::vector<std::string> names;
  for (const FinetuningTask& task : kTasks) names.emplace_back(task.name);
  const Field task{"task", Choice{names, [&] { return chosen; }, [&](int index) { chosen = index; }},
                   "what it learns on for; --help with it shows the task's options"};
  Options deciding("finetune", "", "");
  deciding.add("", {task});
  together(ranks, [&] { deciding.look(arguments); });
  const int wanted = std::exchange(chosen, 0);  // so that the help tells the default
  Options options("finetune", "--from DIR [--task NAME] --output DIR [OPTION...]",
                  "let a trained model learn on: other text, another task");
  return kTasks[static_cast<std::size_t>(wanted)].run(options, task, arguments, ranks);
}

}  // namespace

int run_finetune(std::span<const std::string> arguments) {
  return with_ranks([&](Ranks& ranks) { return finetune(arguments, ranks); });
}

}  // namespace gloss

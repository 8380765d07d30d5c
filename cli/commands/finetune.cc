// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <array>
#include <memory>

#include "base/error.h"
#include "base/index.h"
#include "cli/commands/finetune_classify.h"
#include "cli/commands/training_command.h"
#include "cli/process/with_ranks.h"
#include "cli/table/commands.h"
#include "pipeline/training/pretraining.h"
#include "pipeline/training/translation_training.h"

namespace gloss {
namespace {

constexpr const char* kFinetuneHelp =
    "The network, the vocabulary and the normalisation of text are those of the model;\n"
    "only dropout can be changed. Weights that the model lacks are initialised\n"
    "randomly. Fine-tuning stops, continues and writes a directory as 'gloss train'\n"
    "does. To forget less of the old text, train on it as well: several --source and\n"
    "--target (or --input) files, and --corpus-weights.\n"
    "\n";

/// A task to fine-tune for.
struct FinetuningTask {
  const char* name;
  Work (*declare)(Options&, Field task);
};

const char* name_of(Objective objective) {
  switch (objective) {
    case Objective::lm:
      return "lm";
    case Objective::mlm:
      return "mlm";
    case Objective::denoise:
      return "denoise";
  }
  throw BrokenPromise("an objective without a name");
}

/// The options of all tasks that most people need.
void common_options(Options& options, const ModelTrainingSettings& settings) {
  const LoopSettings& loop = settings.loop;
  options.common({&settings.start.model, &loop.training.max_updates, &loop.batches.batch_tokens,
                  &loop.schedule.learning_rate});
}

struct TranslationTuning {
  TranslationTrainingSettings settings;
  TrainingCommand command;
};

void add_options(Options& options, TranslationTuning& request, const Field& task) {
  auto& [settings, command] = request;
  Fields of_task{task}, languages = fields_of(settings.languages);
  for (Field& field : languages) field.letter = 0;  // -t is the tokenizer of a training
  append(of_task, languages);
  TrainingCommand::add_start_options(options, settings, of_task);
  Fields data = data_fields_of(settings);
  append(data, old_fields_of(settings));
  options.add("Data", data);
  TrainingCommand::add_loop_options(options, settings.loop, {StopOn::cross_entropy, StopOn::bleu},
                                    loss_fields_of(settings));
  options.add("Validation", fields_of(settings.validation));
  options.add("Distillation", fields_of(settings.distillation));
  command.add_run_options(options);
  TrainingCommand::show_planned(options, settings, false);
  common_options(options, settings);
  options.common({&settings.text.source, &settings.text.target});
  options.example("Adapt a translation model to a new domain",
                  "gloss finetune -m model --source new.en --target new.de --output run");
  options.example("Fine-tune for classification; lines are LABEL<tab>TEXT",
                  "gloss finetune --task classify -m model --input labelled.tsv --output run");
  options.epilogue(std::string(kFinetuneHelp) + kTrainingDirectoryHelp);
}

int finetune(const Options& options, TranslationTuning& request, Ranks& ranks) {
  TranslationTrainingSettings& settings = request.settings;
  TrainingCommand& command = request.command;
  command.check(options, ranks, settings.loop);
  together(ranks, [&] { refuse_unused(settings, options.given()); });
  TrainingCommand::take_start(options, ranks, Form::encoder_decoder, settings);
  together(ranks, [&] { TrainingCommand::plan(options, ranks, settings, all_fields_of(settings)); });
  fit_length(options, settings.corpus.max_length, settings.network.sizes.max_positions - 1);
  command.train(options, ranks, settings.loop, [&](const TrainingRun& run, Listener& listener) {
    together(ranks, [&] { settings.teachers = open_teachers(settings.distillation, run.threads, listener); });
    train_translation(settings, run, listener, ranks);
  });
  return 0;
}

Work finetune_translation(Options& options, Field task) {
  const auto request = std::make_shared<TranslationTuning>();
  add_options(options, *request, task);
  return [&options, request] {
    return with_ranks([&](Ranks& ranks) { return finetune(options, *request, ranks); });
  };
}

struct TextTuning {
  PretrainingSettings settings;
  TrainingCommand command;
};

void add_options(Options& options, TextTuning& request, const Field& task) {
  auto& [settings, command] = request;
  const Objective objective = settings.objective;
  TrainingCommand::add_start_options(options, settings, {task});
  options.add("Data", data_fields_of(settings));
  TrainingCommand::add_loop_options(options, settings.loop, {StopOn::cross_entropy});
  command.add_run_options(options);
  TrainingCommand::show_planned(options, settings, true);
  common_options(options, settings);
  options.common({&settings.text.plain, &settings.plain.block_length});
  options.example("Fine-tune on new text", concat("gloss finetune --task ", name_of(objective),
                                                  " -m model --input text.txt --output run"));
  options.example(
      "Train on old text as well, to forget less of it",
      concat("gloss finetune --task ", name_of(objective), " -m model -i new.txt old.txt -o run"));
  options.epilogue(std::string(kFinetuneHelp) + kTrainingDirectoryHelp);
}

int finetune(const Options& options, TextTuning& request, Ranks& ranks) {
  PretrainingSettings& settings = request.settings;
  TrainingCommand& command = request.command;
  command.check(options, ranks, settings.loop);
  TrainingCommand::take_start(options, ranks, form_of(settings.objective), settings);
  together(ranks, [&] { TrainingCommand::plan(options, ranks, settings, all_fields_of(settings)); });
  fit_length(options, settings.plain.block_length, settings.network.sizes.max_positions);
  command.train(options, ranks, settings.loop, [&](const TrainingRun& run, Listener& listener) {
    pretrain(settings, run, listener, ranks);
  });
  return 0;
}

template <Objective objective>
Work finetune_on_text(Options& options, Field task) {
  const auto request = std::make_shared<TextTuning>();
  request->settings.objective = objective;
  add_options(options, *request, task);
  return [&options, request] {
    return with_ranks([&](Ranks& ranks) { return finetune(options, *request, ranks); });
  };
}

constexpr auto kTasks = std::to_array<FinetuningTask>({{"translate", finetune_translation},
                                                       {"classify", finetune_classifier},
                                                       {"answer", finetune_answers},
                                                       {"lm", finetune_on_text<Objective::lm>},
                                                       {"mlm", finetune_on_text<Objective::mlm>},
                                                       {"denoise", finetune_on_text<Objective::denoise>}});

/// The option --task, which chooses a row of kTasks.
Field task_field(int& chosen) {
  std::vector<std::string> names;
  for (const FinetuningTask& task : kTasks) names.emplace_back(task.name);
  return {"task",
          Choice{names, [&chosen] { return chosen; }, [&chosen](int index) { chosen = index; }, &chosen},
          "task to fine-tune for; --task NAME --help shows its options"};
}

}  // namespace

Work declare_finetune(Options& options) {
  int wanted = 0;
  options.look({task_field(wanted)});
  const auto chosen = std::make_shared<int>(0);  // so that the help shows the default
  options.usage("[-m DIR] [--task NAME] --output DIR [OPTION...]",
                "fine-tune a trained model on new text or a new task");
  options.common({chosen.get()});
  options.alias("--from", "--model");
  return [chosen, work = kTasks[index(wanted)].declare(options, task_field(*chosen))] { return work(); };
}

}  // namespace gloss

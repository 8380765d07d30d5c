// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/finetune_classify.h"

#include <memory>
#include <set>

#include "base/error.h"
#include "cli/commands/source_options.h"
#include "cli/commands/training_command.h"
#include "cli/process/with_ranks.h"
#include "pipeline/training/classification_training.h"

namespace gloss {
namespace {

constexpr const char* kFinetuneClassifyHelp =
    "Trains a classifier for 'gloss classify' from a transformer that is a masked or a\n"
    "language model (--model), or a new one of any architecture if no model is given.\n"
    "Each line has a label, a tab and a text, or a label and two texts separated by\n"
    "tabs. With --model, the network, the vocabulary and the normalisation of text are\n"
    "those of the model, and only dropout can be changed.\n"
    "With --source-type image or audio, a new transformer learns to classify images or\n"
    "recordings. --input is a list of PNG, JPEG and PNM or of WAV, FLAC and OGG files,\n"
    "with lines PATH<tab>LABEL (relative paths belong to the folder of the list), or an\n"
    "idx archive of images, with another one for --labels.\n"
    "\n";

constexpr const char* kAnswerHelp =
    "Trains a model for 'gloss answer', which answers questions about stories: a new\n"
    "memory network, or with --architecture or --model another network, which reads\n"
    "story and question as one text. Each line has a story, whose sentences are\n"
    "separated by |, a question and an answer, separated by tabs; or the file has the\n"
    "format of the bAbI tasks. The answers are classes: the model can give no others.\n"
    "\n";

void add_examples(Options& options, bool stories) {
  if (stories) {
    options.example("Train a memory network on stories with questions",
                    "gloss finetune --task answer --input train.tsv --output run");
    options.example("Select the best model by the answers to other questions",
                    "gloss finetune --task answer --input train.tsv --valid-input valid.tsv --output run");
    return;
  }
  options.example("Fine-tune a masked model; lines are LABEL<tab>TEXT",
                  "gloss finetune --task classify -m model --input train.tsv --output run");
  options.example("Train a new classifier of the size 'tiny'",
                  "gloss finetune --task classify --input train.tsv --preset tiny --output run");
  options.example("Train a small and fast new classifier with recommended settings",
                  "gloss finetune --task classify --preset classify --input train.tsv -o run");
}

struct ClassifierTuning {
  explicit ClassifierTuning(bool stories) : settings(stories) {}

  ClassificationTrainingSettings settings;
  TrainingCommand command;
  int layers = 0;
};

void add_options(Options& options, ClassifierTuning& request, const Field& task) {
  auto& [settings, command, layers] = request;
  Fields model{task}, vocabulary = plain_fields_of(settings.tokenizers);
  Fields start = fields_of(settings.start);
  model.push_back(field_of(start, settings.start.model));
  vocabulary.push_back(field_of(start, settings.start.add_symbols));
  append(model, fields_of(settings.network.classifier));
  options.add("Model", model);
  options.add("Data", data_fields_of(settings));
  if (!settings.stories) SourceOptions{settings.network.source, settings.items}.add_to(options);
  options.add("Vocabulary", vocabulary);
  Fields network = command.stack_fields(settings.network, layers, Purpose::classification);
  if (!settings.stories) {
    for (const Field& field : settings.network.of_architectures.fields("memory")) {
      std::erase_if(network, [&](const Field& other) { return other.name == field.name; });
    }
  }
  options.add("Network", network);
  TrainingCommand::add_loop_options(options, settings.loop, {StopOn::cross_entropy, StopOn::accuracy});
  command.add_run_options(options);
  if (!settings.stories) TrainingCommand::show_planned(options, settings, false);
  const Fields data = data_fields_of(settings);
  options.common({&settings.start.model, address_of(data.front()),
                  settings.stories ? &settings.valid_text.stories : &settings.valid_text.labelled,
                  &settings.loop.training.max_updates, &settings.loop.batches.batch_tokens,
                  &settings.loop.schedule.learning_rate});
  add_examples(options, settings.stories);
  options.epilogue(std::string(settings.stories ? kAnswerHelp : kFinetuneClassifyHelp) +
                   kTrainingDirectoryHelp);
}

/// True if nothing was said of the network of a new classifier of texts.
bool leaves_network(const Options& options, const TrainingCommand& command,
                    ClassificationTrainingSettings& settings, const int& layers) {
  return !settings.stories && settings.network.source.is_text() && !settings.start.any() &&
         !options.given()(command.preset()) && !options.given(layers) &&
         given_names(fields_for(Purpose::classification, settings.network), options.given()).empty();
}

/// What the training may choose: for stories, only the preset.
void plan(const Options& options, Ranks& ranks, ClassificationTrainingSettings& settings,
          const std::set<std::string>& recommended) {
  TrainingCommand::plan(options, ranks, settings, all_fields_of(settings));
  std::set<std::string>& given = settings.planning->given;
  given.insert(recommended.begin(), recommended.end());
  if (!settings.stories) return;
  for (const Field& field : planned_fields_of(settings.network, settings.tokenizers, settings.loop))
    given.insert(field.name);
}

/// The sizes of a new network.
void choose_sizes(const Options& options, const TrainingCommand& command, int layers,
                  ClassificationTrainingSettings& settings) {
  constexpr int kPositions = 512;
  const bool positions_given = options.given(settings.network.sizes.max_positions) || settings.stories;
  const bool pools = options.given(settings.network.classifier.pooling);
  if (needs_stories(settings.network) && (layers > 0 || pools)) {
    throw UsageError(
        concat(pools ? "--pooling" : "--layers",
               " has no effect: a memory network has hops, and one state for each question; leave it out"));
  }
  command.choose_sizes(options, settings, [positions_given, layers](NetworkSettings& network) {
    NetworkSizes& sizes = network.sizes;
    if (layers > 0) sizes.encoder_layers = layers;
    sizes.decoder_layers = 0;
    network.classifier.classes = 2;  // or more, as the text has labels
    if (!positions_given) sizes.max_positions = kPositions;
  });
}

/// Throws UsageError for options that have no effect with the type of the source.
void check_source(const Options& options, const TrainingCommand& command,
                  ClassificationTrainingSettings& settings) {
  const auto refuse = [&](const Fields& fields, const std::string& reason) {
    refuse_given(options, fields, reason);
  };
  const SourceSettings& source = settings.network.source;
  SourceOptions{settings.network.source, settings.items}.complete(options);
  Fields data = data_fields_of(settings);
  if (source.type != SourceType::image) {
    refuse({field_of(data, settings.text.item_labels), field_of(data, settings.valid_text.item_labels)},
           "it needs --source-type image");
  }
  if (source.is_text()) return;
  if (settings.start.any())
    throw UsageError("--model is for models of text; leave it out to train a new classifier");
  if (command.classify_preset())
    throw UsageError("--preset classify is a network for text; choose another preset");
  const std::string items = items_noun(source);
  refuse(plain_fields_of(settings.tokenizers), items + " have no vocabulary");
  refuse({{"word_dropout", &settings.word_dropout, ""}}, items + " have no words");
  if (source.type == SourceType::image) {
    refuse({{"max_positions", &settings.network.sizes.max_positions, ""}},
           "the number of positions follows from the size of images and patches");
  }
  settings.text.items = true;
  std::swap(settings.valid_text.items, settings.valid_text.labelled);
}

/// Throws UsageError for options that a starting model decides.
void refuse_sizes(const Options& options, TrainingCommand& command, int& layers,
                  TokenizerSettings& tokenizers) {
  Fields decided = command.stack_size_fields(layers, Purpose::classification);
  for (const Field& field : fields_of(tokenizers)) {
    if (field.has(kLearnsVocabulary)) decided.push_back(field);
  }
  const Given given = options.given();
  for (const Field& field : decided) {
    if (!given(address_of(field))) continue;
    throw UsageError(
        concat("--", option_name(field.name),
               " has no effect: network and vocabulary are those of the model given with --model; "
               "leave out one of the two options"));
  }
}

int finetune(const Options& options, ClassifierTuning& request, Ranks& ranks) {
  ClassificationTrainingSettings& settings = request.settings;
  TrainingCommand& command = request.command;
  int& layers = request.layers;
  command.check(options, ranks, settings.loop);
  const bool leaves = leaves_network(options, command, settings, layers);
  std::set<std::string> recommended;
  if (command.classify_preset() || leaves)
    together(ranks, [&] { recommended = take_classify_preset(settings, options.given()); });
  if (!settings.stories) together(ranks, [&] { check_source(options, command, settings); });
  const ClassifierSettings chosen = settings.network.classifier;
  if (settings.start.any()) {
    together(ranks, [&] { refuse_sizes(options, command, layers, settings.tokenizers); });
    TrainingCommand::take_start(options, ranks, Form::classifier, settings);
    together(ranks, [&] { take_start(settings); });
  } else {
    together(ranks, [&] { choose_sizes(options, command, layers, settings); });
  }
  together(ranks, [&] { plan(options, ranks, settings, recommended); });
  ClassifierSettings& classifier = settings.network.classifier;
  if (options.given(classifier.pooling)) classifier.pooling = chosen.pooling;
  if (options.given(classifier.inner_layer)) classifier.inner_layer = chosen.inner_layer;
  command.train(options, ranks, settings.loop, [&](const TrainingRun& run, Listener& listener) {
    if (leaves) {
      listener.note(
          "using --preset classify, a small convolutional network; for a transformer, give --preset tiny");
    }
    train_classifier(settings, run, listener, ranks);
  });
  return 0;
}

Work declare(Options& options, const Field& task, bool stories) {
  const auto request = std::make_shared<ClassifierTuning>(stories);
  add_options(options, *request, task);
  return [&options, request] {
    return with_ranks([&](Ranks& ranks) { return finetune(options, *request, ranks); });
  };
}

}  // namespace

Work finetune_classifier(Options& options, Field task) { return declare(options, task, false); }

Work finetune_answers(Options& options, Field task) { return declare(options, task, true); }

}  // namespace gloss

#include "cli/finetune_classify.h"

#include "base/error.h"
#include "cli/training_command.h"
#include "pipeline/classification_training.h"

namespace gloss {
namespace {

constexpr const char* kHelp =
    "A transformer that is a masked or a language model (--from) learns to tell which\n"
    "label a text has, or a new encoder of either architecture, if no model is given.\n"
    "Lines have a label, a tab and a text, or two texts with a tab between. 'gloss\n"
    "classify' then tells the labels of texts. With --from the network, the vocabulary\n"
    "and the normalisation of text are those of the model, and only dropout may be\n"
    "another.\n"
    "\n";

void add_options(Options& options, Field task, ClassificationTrainingSettings& settings, int& layers,
                 TrainingCommand& command) {
  Fields model{std::move(task)}, vocabulary = plain_fields_of(settings.tokenizers);
  for (Field& field : fields_of(settings.start)) {
    if (field.name == "from") model.push_back(field);
    if (field.name == "add_symbols") vocabulary.push_back(field);
  }
  model.push_back(pooling_field(settings.network.classifier));
  options.add("Model", model);
  options.add("Data", data_fields_of(settings));
  options.add("Vocabulary", vocabulary);
  Fields network = command.stack_fields(settings.network, layers, {"dropout_layers"});
  for (Field& field : network) {
    if (field.name == "output_dropout") field.help = "before the scores of the labels";
  }
  options.add("Network", network);
  TrainingCommand::add_loop_options(options, settings.loop);
  command.add_run_options(options);
  options.epilogue(std::string(kHelp) + kTrainingDirectoryHelp);
}

/// The sizes of a new network.
void choose_sizes(const Options& options, const TrainingCommand& command, int layers,
                  NetworkSettings& network) {
  constexpr int kPositions = 512;
  if (network.architecture == Architecture::recurrent) network.recurrent.attention = AttentionScore::none;
  network = command.with_sizes(options, network);
  TransformerSettings& sizes = network.transformer;
  if (layers > 0) sizes.encoder_layers = layers;
  sizes.decoder_layers = 0;
  network.classifier.classes = 2;  // or more, which the text tells
  if (!options.given("max_positions")) sizes.max_positions = kPositions;
}

/// What a model that learns on decides already.
void refuse_sizes(const Options& options) {
  for (const char* const name : {"preset", "layers", "vocab_size", "vocab_type"}) {
    if (!options.given(name)) continue;
    throw UsageError(concat("--", option_name(name),
                            " has no effect: network and vocabulary are those of the model that learns on; "
                            "leave it or --from out"));
  }
}

}  // namespace

int finetune_classifier(Options& options, Field task, std::span<const std::string> arguments, Ranks& ranks) {
  ClassificationTrainingSettings settings;
  TrainingCommand command;
  int layers = 0;
  add_options(options, std::move(task), settings, layers, command);
  if (!command.parse(options, arguments, ranks)) return 0;
  const Pooling pooling = settings.network.classifier.pooling;
  if (settings.start.any()) {
    together(ranks, [&] { refuse_sizes(options); });
    TrainingCommand::take_start(options, ranks, Form::classifier, settings);
    together(ranks, [&] { take_start(settings); });
  } else {
    together(ranks, [&] { choose_sizes(options, command, layers, settings.network); });
  }
  if (options.given("pooling")) settings.network.classifier.pooling = pooling;
  command.train(
      options, ranks, settings.loop.batches.gradient_shards,
      [&](const TrainingRun& run, Listener& listener) { train_classifier(settings, run, listener, ranks); });
  return 0;
}

}  // namespace gloss

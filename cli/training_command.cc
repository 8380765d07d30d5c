#include "cli/training_command.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/threads.h"
#include "cli/profile_table.h"
#include "cli/stop_signals.h"
#include "cli/terminal.h"

namespace gloss {

const char* const kTrainingDirectoryHelp =
    "The output directory holds checkpoint-N after N updates, each a model directory\n"
    "with all that is needed to continue, the links best and last to two of them, and\n"
    "train.log.jsonl. The same command again continues where it stopped, and gives\n"
    "the same result as if it had not. Ctrl-C, SIGTERM and SIGHUP save and end with\n"
    "status 0; a second one ends at once.\n"
    "\n"
    "The result depends on --gradient-shards and --precision, and not on --threads.\n";

TrainingCommand::TrainingCommand() { run_.threads = available_processors(); }

Field TrainingCommand::preset_field() {
  return {"preset", preset_choice(preset_), "sizes of a transformer; those given beside it count more"};
}

Fields TrainingCommand::stack_fields(NetworkSettings& settings, int& layers,
                                     const std::set<std::string>& left_out) {
  const std::set<std::string> of_two_sides{
      "encoder_layers", "decoder_layers", "attention",         "query",   "window",
      "window_reach",   "selection",      "coverage",          "context", "first_state",
      "reverse_source", "input_feeding",  "scheduled_sampling"};
  Fields fields{preset_field()};
  for (Field& field : fields_of(settings)) {
    if (!of_two_sides.contains(field.name) && !left_out.contains(field.name)) fields.push_back(field);
  }
  fields.push_back(
      {"layers", &layers, "blocks, or recurrent layers; default: as the preset says, or 1", {0, 1000}});
  return fields;
}

void TrainingCommand::add_loop_options(Options& options, LoopSettings& loop) {
  options.add("Training", fields_of(loop.training));
  options.add("Batches", fields_of(loop.batches));
  Fields optimizer = fields_of(loop.schedule);
  for (Field& field : fields_of(loop.optimizer)) optimizer.push_back(field);
  for (Field& field : fields_of(loop.moving_average)) optimizer.push_back(field);
  options.add("Optimizer", optimizer);
  options.add("Divergence", fields_of(loop.divergence));
}

void TrainingCommand::add_start_options(Options& options, ModelTrainingSettings& settings, Fields of_task) {
  for (Field& field : fields_of(settings.start)) {
    if (field.name != "add_symbols") of_task.push_back(field);
  }
  options.add("Model", of_task);
  // Nothing is learned: the vocabulary is the model's.
  const std::set<std::string> of_learning{"vocab_type", "vocab_size"};
  Fields vocabulary, of_the_model;
  for (Field& field : fields_of(settings.start)) {
    if (field.name == "add_symbols") vocabulary.push_back(field);
  }
  for (Field& field : fields_of(settings.tokenizers)) {
    if (of_learning.contains(field.name)) continue;
    const bool decided = field.name.ends_with("tokenizer") || field.name == "normalization";
    if (decided) field.help = "only to make sure that it is the model's";
    (decided ? of_the_model : vocabulary).push_back(field);
  }
  options.add("Vocabulary", vocabulary);
  options.add("Vocabulary: the model's", of_the_model, Options::Defaults::untold);
  options.add("Network: the model's; dropout may be another", fields_of(settings.network),
              Options::Defaults::untold);
}

void TrainingCommand::take_start(const Options& options, Ranks& ranks, Form form,
                                 ModelTrainingSettings& settings) {
  together(ranks, [&] {
    apply_start(settings.start, form, settings.network, settings.tokenizers,
                [&](const std::string& name) { return options.given(name); });
  });
}

void TrainingCommand::add_run_options(Options& options) {
  options.add("Run", {{"output", &run_.output, "directory of the training", {}, 'o'},
                      {"fresh", &run_.fresh,
                       "starts over: removes the training that stands there; leave it out to continue"},
                      {"threads", &run_.threads, "threads to compute with", {1, 1024}, 'j'},
                      profile_field(profiled_)});
}

bool TrainingCommand::parse(Options& options, std::span<const std::string> arguments, Ranks& ranks) {
  bool starts = false;
  together(ranks, [&] {
    starts = options.parse(arguments);
    if (starts && run_.output.empty()) {
      throw UsageError("where shall the model go? Give a directory with --output DIR");
    }
  });
  return starts;
}

NetworkSettings TrainingCommand::with_sizes(const Options& options, NetworkSettings given) const {
  NetworkSettings settings = given;
  if (given.architecture == Architecture::transformer) {
    apply_preset(preset_, settings.transformer);
  } else if (options.given("preset")) {
    throw UsageError(
        "--preset has sizes of transformers only; give those of this architecture by themselves");
  } else {
    apply_defaults(given.architecture, settings.transformer);
  }
  const auto is_given = [&](const std::string& name) { return options.given(name); };
  const Fields from = fields_of(given), to = fields_of(settings);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (is_given(from[i].name)) set_field(to[i], field_text(from[i]), from[i].name);
  }
  refuse_unused(settings, is_given);
  return settings;
}

void TrainingCommand::train(const Options& options, Ranks& ranks, int gradient_shards,
                            const std::function<void(const TrainingRun&, Listener&)>& work) {
  Terminal terminal(options.name(), options.quiet());
  Listener silent;
  // Signals are caught from the first update on: before there is nothing to save.
  std::optional<StopSignals> signals;
  run_.stop_requested = [&signals] {
    if (!signals) signals.emplace();
    return signals->received();
  };
  const ProfileTable profile(profiled_ && ranks.first());
  work(run_, ranks.first() ? static_cast<Listener&>(terminal) : silent);
  profile.print(std::min(run_.threads, gradient_shards));
}

}  // namespace gloss

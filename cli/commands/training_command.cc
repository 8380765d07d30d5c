// SPDX-License-Identifier: Apache-2.0

#include "cli/commands/training_command.h"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/threads.h"
#include "cli/commands/profile_table.h"
#include "cli/options/compute_options.h"
#include "cli/options/named_settings.h"
#include "cli/process/event_log.h"
#include "cli/process/signals.h"
#include "cli/process/terminal.h"
#include "pipeline/training/start_settings.h"
#include "pipeline/training/starting_models.h"

namespace gloss {

const char* const kTrainingDirectoryHelp =
    "The output directory holds a model directory checkpoint-N for N updates, with all\n"
    "that is needed to continue, the links best and last to two of them, and the log\n"
    "train.log.jsonl. The same command continues a training that was stopped, with the\n"
    "same result as without the stop. From the first update on, Ctrl-C, SIGTERM and\n"
    "SIGHUP save and exit with status 0; a signal a second or more after the first\n"
    "exits at once. Before the first update there is nothing new to save: a signal exits\n"
    "at once with a message. Before the first checkpoint, it leaves no new files. With\n"
    "--fresh the existing training is removed just before the first update of the new\n"
    "one.\n"
    "\n"
    "The result depends on --gradient-shards and --precision, but not on --threads.\n";

namespace {

/// fairseq's --max-tokens is the size of a batch; here it would end the training after a few updates.
void expect_many_batches(LoopSettings loop, bool given) {
  constexpr std::int64_t kFewestBatches = 100;
  constexpr int kSmall = 512;  // whatever the plan chooses
  if (!given) loop.batches.batch_tokens = kSmall;
  const std::int64_t max_tokens = loop.training.max_tokens;
  const std::int64_t per_update = std::int64_t{loop.batches.batch_tokens} * batches_of(loop.batches, 1);
  if (max_tokens == 0 || max_tokens >= kFewestBatches * per_update) return;
  throw UsageError(concat(
      "--max-tokens ", max_tokens, " would end the training after about ",
      counted(std::max<std::int64_t>(1, max_tokens / per_update), "update"), " of ", per_update,
      " tokens: it is the number of target tokens in the whole training. For the size of a batch use "
      "--batch-tokens; to train longer, use --max-tokens ",
      kFewestBatches * per_update, " or more; to stop after N updates, even a few, use --max-updates N"));
}

/// The choice among those figures that the task has.
Choice some_of(const Choice& all, std::vector<StopOn> figures) {
  Choice some{{}, {}, {}, all.address};
  for (const StopOn figure : figures) some.names.push_back(all.names[index(static_cast<int>(figure))]);
  some.get = [all, figures] {
    const auto place = std::ranges::find(figures, static_cast<StopOn>(all.get()));
    return place == figures.end() ? 0 : static_cast<int>(place - figures.begin());
  };
  some.set = [all, figures](int chosen) { all.set(static_cast<int>(figures[index(chosen)])); };
  return some;
}

/// The message of a command that a signal ends before the training begins or continues.
std::string farewell_text(const std::string& command) {
  const char* const without_bar = isatty(STDERR_FILENO) != 0 ? "\r\x1b[K" : "";
  return concat(
      without_bar, "gloss ", command,
      ": interrupted before the training began; nothing new to save; the same command starts again or "
      "continues\n");
}

}  // namespace

void fit_length(const Options& options, int& length, int longest) {
  if (!options.given(length)) length = std::min(length, longest);
}

void refuse_given(const Options& options, const Fields& fields, const std::string& reason) {
  const Given given = options.given();
  for (const Field& field : fields) {
    if (!given(address_of(field))) continue;
    throw UsageError(concat("--", option_name(field.name), " has no effect: ", reason, "; leave it out"));
  }
}

void warn_of_unused_validation(const Options& options, TranslationTrainingSettings& settings,
                               Listener& listener) {
  if (!settings.valid_text.empty() || settings.holds_out()) return;
  std::vector<std::string> unused;
  for (const Field& field : fields_of(settings.validation)) {
    const bool* const* const flag = std::get_if<bool*>(&field.target);
    if (flag != nullptr && !**flag) continue;  // switched off
    if (options.given()(address_of(field))) unused.push_back("--" + option_name(field.name));
  }
  if (unused.empty()) return;
  listener.warn(concat(join(unused, ", "), unused.size() == 1 ? " has" : " have",
                       " no effect without a validation text: give --valid-source and --valid-target"));
}

TrainingCommand::TrainingCommand() { run_.threads = available_processors(); }

Field TrainingCommand::preset_field(Purpose purpose) {
  Preset some{};
  std::vector<std::string> names = preset_choice(some).names;
  const bool students = purpose == Purpose::translation;
  if (!students) std::erase_if(names, [](const std::string& name) { return name.starts_with("student"); });
  names.insert(names.begin(), "auto");
  const bool classifies = purpose == Purpose::classification;
  if (classifies) names.emplace_back("classify");
  const int classify = classifies ? static_cast<int>(names.size()) - 1 : -1;
  return {
      "preset",
      Choice{std::move(names),
             [this, classify] {
               if (classify_preset_) return classify;
               return preset_ ? static_cast<int>(*preset_) + 1 : 0;
             },
             [this, classify](int index) {
               classify_preset_ = index == classify;
               const bool sizes = index > 0 && !classify_preset_;
               preset_ = sizes ? std::optional(static_cast<Preset>(index - 1)) : std::nullopt;
             },
             &preset_},
      concat("size of a transformer; options for single sizes override it; ",
             classifies ? "classify: a convolutional network with recommended settings of training; " : "",
             students ? "student, student-tiny: 12+1 and 6+2 layers and an SSRU decoder, to learn from a "
                        "larger model; "
                      : "",
             "auto: tiny below 200,000 lines of training text, small below 2,000,000, else base")};
}

Fields TrainingCommand::stack_fields(NetworkSettings& settings, int& layers, Purpose purpose) {
  const Fields sizes = stack_size_fields(layers, purpose);
  Fields fields{sizes.front()};
  append(fields, fields_for(purpose, settings));
  fields.push_back(sizes.back());
  return fields;
}

Fields TrainingCommand::stack_size_fields(int& layers, Purpose purpose) {
  return {preset_field(purpose),
          {"layers",
           &layers,
           "number of transformer blocks or recurrent layers; 0: as in the preset, or 1 recurrent layer",
           {0, 1000}}};
}

void TrainingCommand::add_loop_options(Options& options, LoopSettings& loop, std::vector<StopOn> figures,
                                       const Fields& of_loss) {
  Fields training = fields_of(loop.training);
  Field& stop_on = field_of(training, loop.training.stop_on);
  stop_on.target = some_of(std::get<Choice>(stop_on.target), std::move(figures));
  append(training, of_loss);
  options.add("Training", training);
  options.add("Batches", fields_of(loop.batches));
  Fields optimizer = fields_of(loop.schedule);
  append(optimizer, fields_of(loop.optimizer));
  append(optimizer, fields_of(loop.moving_average));
  options.add("Optimizer", optimizer);
  options.add("Divergence", fields_of(loop.divergence));
}

void TrainingCommand::add_start_options(Options& options, ModelTrainingSettings& settings, Fields of_task) {
  Fields start = fields_of(settings.start), of_the_model;
  Fields vocabulary{field_of(start, settings.start.add_symbols)};
  leave_out(start, settings.start.add_symbols);
  append(of_task, start);
  options.add("Model", of_task);
  TokenizerSettings& text = settings.tokenizers;
  for (Field& field : fields_of(text)) {
    if (field.has(kLearnsVocabulary)) continue;  // the vocabulary is the model's
    const bool decided =
        refers_to(field, text.tokenizer, text.source_tokenizer, text.target_tokenizer, text.normalization);
    if (decided) field.help = "stop unless the model has this one";
    (decided ? of_the_model : vocabulary).push_back(field);
  }
  options.add("Vocabulary", vocabulary);
  options.add("Vocabulary of the model", of_the_model, Options::Defaults::hidden);
  options.add("Network of the model", fields_for(Purpose::translation, settings.network),
              Options::Defaults::hidden);
}

void TrainingCommand::take_start(const Options& options, Ranks& ranks, Form form,
                                 ModelTrainingSettings& settings) {
  if (!ranks.first()) event_log().close();
  Terminal terminal(options.name(), options.quiet() || !ranks.first());
  together(ranks, [&] {
    settings.starting_models = open_starting_models(settings.start, form, settings.network,
                                                    settings.tokenizers, options.given(), terminal);
  });
}

void TrainingCommand::add_run_options(Options& options) {
  options.add("Run",
              {{"output",
                &run_.output,
                "training directory to write; the best model is DIR/best",
                {},
                'o',
                "DIR",
                kWritten},
               {"fresh", &run_.fresh,
                "start over; just before its first update the new training replaces the one in the output "
                "directory"},
               {"explain", &run_.explain,
                "print what the training would do and how long it would take, and write nothing"},
               threads_field(run_.threads),
               profile_field(profiled_)});
  options.common({&run_.output, &run_.threads});
}

void TrainingCommand::check(const Options& options, Ranks& ranks, const LoopSettings& loop) const {
  together(ranks, [&] {
    if (run_.output.empty() && !run_.explain) {
      throw UsageError("--output DIR is required: the training directory to write");
    }
    if (options.given(loop.optimizer.muon_momentum) && loop.optimizer.update != Update::muon) {
      throw UsageError("--muon-momentum has no effect: it needs --optimizer muon; leave it out");
    }
    if (options.given(loop.schedule.cooldown) && loop.schedule.decay != Decay::cooldown) {
      throw UsageError("--cooldown has no effect: it needs --schedule cooldown; leave it out");
    }
    expect_many_batches(loop, options.given(loop.batches.batch_tokens));
  });
}

void TrainingCommand::choose_sizes(const Options& options, ModelTrainingSettings& settings,
                                   const std::function<void(NetworkSettings&)>& finish) const {
  const std::set<std::string> given = given_names(fields_of(settings.network), options.given());
  const NetworkOfPreset network_of = [given, chosen = settings.network, finish](Preset preset) {
    NetworkSettings network = with_sizes(given, chosen, preset);
    finish(network);
    return network;
  };
  if (!has_presets(settings.network) && options.given(preset_) && !classify_preset_) {
    throw UsageError(
        "--preset is for transformers only; leave it out: the sizes of this architecture have their own "
        "options");
  }
  settings.network = network_of(preset_.value_or(Preset::tiny));
  naming_options(options, [&] {
    refuse_unused(settings.network, [&](const std::string& name) { return given.contains(name); });
  });
  settings.planning =
      Planning{given, has_presets(settings.network) ? network_of : NetworkOfPreset(), preset_};
}

void TrainingCommand::plan(const Options& options, Ranks& ranks, ModelTrainingSettings& settings,
                           const Fields& all) {
  if (!settings.planning) settings.planning.emplace();
  settings.planning->ranks = ranks.size();
  settings.planning->starts = settings.start.any();
  settings.planning->given.merge(given_names(all, options.given()));
}

void TrainingCommand::show_planned(Options& options, ModelTrainingSettings& settings, bool plain_text) {
  Fields planned = planned_fields_of(settings.network, settings.tokenizers, settings.loop);
  std::erase_if(planned, [&](const Field& field) {
    // Only recordings have other positions.
    return field.name == "positions" || (field.name == "decoder_mixers" && !plain_text);
  });
  options.planned(planned);
}

NetworkSettings TrainingCommand::with_sizes(const std::set<std::string>& given, NetworkSettings chosen,
                                            Preset preset) {
  NetworkSettings settings = chosen;
  if (has_presets(chosen)) {
    apply_preset(preset, settings);
  } else {
    apply_default_sizes(settings);
  }
  const Fields from = fields_of(chosen), to = fields_of(settings);
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (given.contains(from[i].name)) copy_value(from[i], to[i]);
  }
  return settings;
}

void TrainingCommand::train(const Options& options, Ranks& ranks, const LoopSettings& loop,
                            const std::function<void(const TrainingRun&, Listener&)>& work) const {
  together(ranks, [&] { gloss::check(loop, options.given()); });
  if (!ranks.first()) event_log().close();
  Terminal terminal(options.name(), options.quiet() && !run_.explain);  // which is all that --explain prints
  Listener silent;
  StopSignals signals(ranks.first() ? farewell_text(options.name()) : "");
  // If another rank reports a failure and exits, mpirun ends this one with a signal.
  ranks.before_leaving(drop_farewell);
  TrainingRun run = run_;  // with functions that end with `signals`
  run.before_saving = [&signals] { signals.remember(); };
  run.stop_requested = [&signals] { return signals.received(); };
  const ProfileTable profile(profiled_ && ranks.first());
  Listener& listener = ranks.first() ? static_cast<Listener&>(terminal) : silent;
  fit_threads(run.threads, listener);
  naming_options(options, [&] { work(run, listener); });
  profile.print(std::min(run.threads, loop.batches.gradient_shards));
}

}  // namespace gloss

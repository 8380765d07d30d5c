#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>

#include "cli/options.h"
#include "model/networks/factory.h"
#include "pipeline/model_training.h"

namespace gloss {

/// What commands that train have in common: options of the loop and the run, presets, signals, ranks.
class TrainingCommand {
 public:
  TrainingCommand();

  /// The option of sizes that go together.
  Field preset_field();
  /// Those of a network that is one stack of so many `layers`: without what only two sides have, and without
  /// what else is `left_out`.
  Fields stack_fields(NetworkSettings&, int& layers, const std::set<std::string>& left_out);
  /// Adds the options of the loop: "Training", "Batches", "Optimizer", "Divergence".
  static void add_loop_options(Options&, LoopSettings&);
  /// Adds those of a training that starts from trained models: "Model", with the fields of the task, and
  /// "Vocabulary" and "Network" with what can be said of theirs.
  static void add_start_options(Options&, ModelTrainingSettings&, Fields of_task);
  /// Adds those of the run.
  void add_run_options(Options&);
  /// Reads the command line, on all ranks alike. False if help was asked for and printed.
  bool parse(Options&, std::span<const std::string> arguments, Ranks&);
  /// The settings with the sizes of the preset, or of the architecture, and above them those that were given.
  /// Throws UsageError if one was given that has no effect.
  NetworkSettings with_sizes(const Options&, NetworkSettings given) const;
  /// Gives the settings what the starting models decide (apply_start).
  static void take_start(const Options&, Ranks&, Form, ModelTrainingSettings&);
  /// Calls `work`, which trains, with what it needs.
  void train(const Options&, Ranks&, int gradient_shards,
             const std::function<void(const TrainingRun&, Listener&)>& work);

 private:
  TrainingRun run_;
  Preset preset_ = Preset::base;
  bool profiled_ = false;
};

/// Text of the help: what an output directory holds, and how a training stops and continues.
extern const char* const kTrainingDirectoryHelp;

}  // namespace gloss

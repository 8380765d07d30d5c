// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "cli/options/options.h"
#include "model/networks/factory.h"
#include "pipeline/training/train_model.h"
#include "pipeline/training/translation_training.h"

namespace gloss {

/// What commands that train have in common: options of the loop and the run, presets, signals, ranks.
class TrainingCommand {
 public:
  TrainingCommand();

  /// The option of sizes that go together, and the member that it sets.
  Field preset_field(Purpose);
  const void* preset() const { return &preset_; }
  /// True if --preset classify asks for the recommended settings of classifiers (take_classify_preset).
  bool classify_preset() const { return classify_preset_; }
  /// The options of a network for this purpose that is one stack of `layers` layers.
  Fields stack_fields(NetworkSettings&, int& layers, Purpose);
  /// Of these, those of sizes for which there is no member of the network's settings.
  Fields stack_size_fields(int& layers, Purpose);
  /// Adds the options of the loop: "Training", "Batches", "Optimizer", "Divergence". `figures` are those of a
  /// validation that can select the best model, `of_loss` settings of the loss that only some trainings have.
  static void add_loop_options(Options&, LoopSettings&, std::vector<StopOn> figures,
                               const Fields& of_loss = {});
  /// Adds those of a training that starts from trained models: "Model", with the fields of the task, and
  /// "Vocabulary" and "Network" with the options that apply to the models.
  static void add_start_options(Options&, ModelTrainingSettings&, Fields of_task);
  /// Adds those of the run.
  void add_run_options(Options&);
  /// Throws UsageError, on all ranks alike, for options of the run and of its `loop` that do not fit
  /// together.
  void check(const Options&, Ranks&, const LoopSettings& loop) const;
  /// Gives the network the sizes of the preset, or of the architecture, and overrides them with those that
  /// were given; then `finish` sets what else follows from the options. Without --preset, the training does
  /// the same again with the preset that it chooses; the references in `finish` must be valid until then.
  /// Throws UsageError if an option was given that has no effect.
  void choose_sizes(const Options&, ModelTrainingSettings&,
                    const std::function<void(NetworkSettings&)>& finish) const;
  /// Leaves to the training what was not given (LearningPlan); `all`: the settings of the training, as stored
  /// in config.json. Called after choose_sizes.
  static void plan(const Options&, Ranks&, ModelTrainingSettings&, const Fields& all);
  /// Shows in the help which defaults follow from the text. Decoder mixers do in language models only.
  static void show_planned(Options&, ModelTrainingSettings&, bool plain_text);
  /// Opens the starting models and gives the settings what they decide (open_starting_models).
  static void take_start(const Options&, Ranks&, Form, ModelTrainingSettings&);
  /// Checks the settings of the loop and calls `work`, which trains.
  void train(const Options&, Ranks&, const LoopSettings&,
             const std::function<void(const TrainingRun&, Listener&)>& work) const;

 private:
  /// `given` names the fields of `chosen` that override the sizes of the preset.
  static NetworkSettings with_sizes(const std::set<std::string>& given, NetworkSettings chosen, Preset);

  TrainingRun run_;
  std::optional<Preset> preset_;  // empty: the training chooses it
  bool classify_preset_ = false;
  bool profiled_ = false;
};

/// Limits the default of an option of lengths, in tokens, to what the network has positions for.
void fit_length(const Options&, int& length, int longest);

/// Throws UsageError if one of the options was given, which has no effect for this reason.
void refuse_given(const Options&, const Fields&, const std::string& reason);

/// Warns of options of validation that were given without a validation text.
void warn_of_unused_validation(const Options&, TranslationTrainingSettings&, Listener&);

/// Text of the help: the files of an output directory, and how a training stops and continues.
extern const char* const kTrainingDirectoryHelp;

}  // namespace gloss

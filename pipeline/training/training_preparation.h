// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/listener.h"
#include "base/ranks.h"
#include "pipeline/examples/example_encoding.h"
#include "pipeline/examples/tokenizer_pair.h"
#include "pipeline/training/starting_models.h"
#include "pipeline/training/stopping_criteria.h"
#include "pipeline/training/training_corpora.h"
#include "pipeline/training/training_directory.h"
#include "pipeline/training/training_task.h"

namespace gloss {

/// What a training needs before it has a model: its directory, starting models, text and tokenizers, and
/// settings that fit them and the checkpoint to continue from.
class TrainingPreparation {
 public:
  TrainingPreparation(TrainingTask&, const TrainingRun&, Listener&, Ranks&);
  TrainingPreparation(const TrainingPreparation&) = delete;
  TrainingPreparation& operator=(const TrainingPreparation&) = delete;

  /// Opens directory, text and tokenizers and completes the settings of the task, on all ranks. Returns why
  /// the training has already ended, if it has; then nothing else may be called.
  std::optional<TrainingEnd> open();
  /// Sets what follows from the tokenizers in a network that the plan has chosen.
  void fit_network();
  /// Encodes the training text once, for its size and the lines that are skipped, and loads the validation
  /// text.
  void read_text();
  /// All ranks need the same settings and text, but files of one name may differ between machines: throws
  /// UsageError on all ranks if they do.
  void expect_same_everywhere();

  /// The checkpoint to continue from; empty: from the beginning.
  const std::string& latest() const { return latest_; }
  bool continues() const { return !latest_.empty(); }
  /// Null: random initialisation.
  const StartingModels* start() const { return start_ ? &*start_ : nullptr; }
  /// Null unless this is a new training that chooses its settings.
  LearningPlan* plan() { return plan_ ? &*plan_ : nullptr; }
  /// Null on all ranks but the first.
  TrainingDirectory* directory() { return directory_ ? &*directory_ : nullptr; }
  const TrainingCorpora& corpora() const { return *corpora_; }
  const Tokenizers& tokenizers() const { return tokenizers_; }
  /// Null before `read_text`.
  std::shared_ptr<const ExampleEncoder> encoder() const { return encoder_; }

 private:
  void note_earlier_training();
  void open_directory();
  void open_corpora();
  /// Takes what a training that continues has chosen.
  void take_plan();
  /// Sets lines aside for validation and begins the plan of a new training.
  void begin_plan();
  void load_given_tokenizers();
  void prepare_tokenizers();
  void prepare_network_settings();
  std::optional<TrainingEnd> already_ended();

  TrainingTask& task_;
  ModelTrainingSettings& settings_;
  const TrainingRun& run_;
  Listener& listener_;
  Ranks& ranks_;
  std::optional<StartingModels> start_;
  std::optional<TrainingDirectory> directory_;  // only on rank 0
  std::string latest_;
  std::optional<TrainingCorpora> corpora_;
  std::optional<LearningPlan> plan_;
  Tokenizers tokenizers_;
  std::shared_ptr<const ExampleEncoder> encoder_;
};

}  // namespace gloss

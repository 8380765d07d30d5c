// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/fields.h"
#include "base/listener.h"
#include "base/ranks.h"
#include "base/worker_threads.h"
#include "pipeline/examples/example_encoding.h"
#include "pipeline/examples/text_format.h"
#include "pipeline/training/learning_plan.h"
#include "pipeline/training/model_training_settings.h"
#include "pipeline/training/network_learner.h"

namespace gloss {

/// How a training runs; nothing here changes its result.
struct TrainingRun {
  std::string output;    ///< the training directory
  bool fresh = false;    ///< start over; the first checkpoint replaces an existing training
  bool explain = false;  ///< say what would be done, and write nothing
  int threads = 1;
  std::function<void()> before_saving{};   ///< called before the first checkpoint is written
  std::function<bool()> stop_requested{};  ///< called between updates, first before the first update
};

/// The inputs of a validation.
struct ValidationParts {
  const Network& network;
  const Tokenizers& tokenizers;
  int threads;
  WorkerThreads& workers;
  Ranks& ranks;
};

/// The settings of an encoder with which it learns fastest: convolutions beside or instead of attention, if
/// its source is a sequence.
nlohmann::json faster_encoder(const NetworkSettings&);

/// The parts of a training that differ between kinds of models: translation models, language models, ...
class TrainingTask {
 public:
  virtual ~TrainingTask() = default;
  virtual ModelTrainingSettings& settings() = 0;
  /// Every setting as stored in config.json.
  virtual Fields all_fields() = 0;
  /// Throws UsageError if settings conflict.
  virtual void check() = 0;
  /// What a model is for and the command for it, such as "translate: gloss translate -m MODEL FILE".
  virtual std::string use(const std::string& model) const = 0;
  /// Reads properties of the training text that network and examples depend on, such as labels: from the text
  /// of a new training, or from the checkpoint of one that continues.
  virtual void take_training_text(std::span<const WeightedText>) {}
  virtual void take_checkpoint(const std::string& /*folder*/) {}
  /// False if neither source nor target is text: there are no tokenizers then.
  virtual bool has_text() const { return true; }
  /// Sets the network's settings that follow from the tokenizers; throws UsageError if they conflict.
  virtual void fit_network(const Tokenizers&) = 0;
  /// Sets what the task decides in the text settings of the model, which are those of the starting model.
  virtual void complete(TextFormat&) const {}
  /// The tokenizers must outlive the encoder.
  virtual std::unique_ptr<const ExampleEncoder> encoder(const Tokenizers&) const = 0;
  /// Loads the validation text and reports its size and skipped lines.
  virtual void take_validation(const IndexedPairs&, const ExampleEncoder&, int threads, Listener&) = 0;
  virtual ValidationFigures validate(const ValidationParts&) const = 0;
  /// What the plan of a new training must know.
  virtual LearningTask learning() const { return {}; }
  /// True if neighbouring lines of the text belong together, so that only a passage can be held out.
  virtual bool learns_passages() const { return false; }
  virtual LearningGoal goal() { return {{settings().loop.training.label_smoothing}, nullptr}; }
};

}  // namespace gloss

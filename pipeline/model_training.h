#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/fields.h"
#include "base/listener.h"
#include "base/ranks.h"
#include "base/worker_threads.h"
#include "model/networks/factory.h"
#include "pipeline/corpus_mix.h"
#include "pipeline/example_encoding.h"
#include "pipeline/parallel_text.h"
#include "pipeline/starting_models.h"
#include "pipeline/training.h"
#include "pipeline/training_vocabulary.h"

namespace gloss {

/// What trainings of all kinds of models have.
struct ModelTrainingSettings {
  CorpusMixSettings text;
  ParallelFiles valid_text;
  StartSettings start;
  TokenizerSettings tokenizers;
  std::vector<std::string>
      symbols;              ///< that the vocabulary gets if it has them not; follow from other settings
  NetworkSettings network;  ///< its vocabulary sizes and special tokens follow from the tokenizers
  LoopSettings loop;
  int ranks = 1;                      ///< that learn together
  int mask_token = -1;                ///< follows from the tokenizers; -1: there is none
  std::vector<std::string> labels{};  ///< of a classifier; follow from the training text
};

/// Those of the loop, in the order of config.json.
Fields loop_fields_of(LoopSettings&);
/// Throws UsageError if they do not fit together.
void check(const ModelTrainingSettings&);

/// Where and how a training runs; nothing here changes its result.
struct TrainingRun {
  std::string output;  ///< the training directory
  bool fresh = false;  ///< starts over, whatever stands there
  int threads = 1;
  std::function<bool()> stop_requested;  ///< asked between updates, first when learning begins
};

/// What validating works with.
struct ValidationParts {
  const Network& network;
  const Tokenizers& tokenizers;
  int threads;
  WorkerThreads& workers;
  Ranks& ranks;
};

/// What a model is trained for: all in which translation models, language models and others differ.
class TrainingTask {
 public:
  virtual ~TrainingTask() = default;
  virtual ModelTrainingSettings& settings() = 0;
  /// Every setting as stored in config.json.
  virtual Fields all_fields() = 0;
  /// Throws UsageError if settings do not fit together.
  virtual void check() = 0;
  /// Takes what network and examples need to know of the training text beside its tokenizers, such as labels:
  /// from the text, or where a training continues, from its checkpoint.
  virtual void take_training_text(std::span<const WeightedText>) {}
  virtual void take_checkpoint(const std::string& /*folder*/) {}
  /// Gives the network's settings what follows from the tokenizers; throws UsageError if they do not fit.
  virtual void fit_network(const Tokenizers&) = 0;
  /// The tokenizers must live longer.
  virtual std::unique_ptr<const ExampleEncoder> encoder(const Tokenizers&) const = 0;
  /// Keeps what it needs of the validation text, and reports what is in it.
  virtual void take_validation(const IndexedPairs&, const ExampleEncoder&, int threads, Listener&) = 0;
  virtual ValidationFigures validate(const ValidationParts&) const = 0;
};

/// Trains a model, or continues the training that stands in the directory already. Returns why it ended. All
/// ranks train; only the first one uses the directory beyond reading what it continues from.
TrainingEnd train_model(TrainingTask&, const TrainingRun&, Listener&, Ranks&);

}  // namespace gloss

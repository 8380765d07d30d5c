// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/listener.h"
#include "model/model_directory.h"
#include "pipeline/examples/batch_stream.h"
#include "pipeline/examples/tokenizer_pair.h"
#include "pipeline/text_models/training_record.h"
#include "pipeline/training/model_training_settings.h"
#include "pipeline/training/stopping_criteria.h"
#include "pipeline/training/training_task.h"

namespace gloss {

/// What a training says before its first update and after its last one.
class TrainingNotes {
 public:
  /// All must outlive this.
  TrainingNotes(const ModelTrainingSettings& settings, const TrainingRun& run, Listener& listener)
      : settings_(settings), run_(run), listener_(listener) {}

  /// Says what more threads than gradient shards are good for. A training that continues cannot change them.
  void threads(bool continues) const;
  /// Says how large the model is, and which settings have no effect. `has_text`: TrainingTask::has_text.
  void start(const Model&, const Tokenizers&, bool has_text, int ranks) const;
  void continuation(const TrainingState&) const;
  /// Says how long updates waited for text, if that matters.
  void waiting(const BatchStream&) const;
  /// Says why the training ended and what to do with the model: `use`: TrainingTask::use.
  void end(TrainingEnd, const TrainingState&, bool validated, const std::string& use) const;

 private:
  std::string reason_of(TrainingEnd, const TrainingState&) const;

  const ModelTrainingSettings& settings_;
  const TrainingRun& run_;
  Listener& listener_;
};

}  // namespace gloss

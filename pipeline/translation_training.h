#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/fields.h"
#include "base/listener.h"
#include "base/ranks.h"
#include "model/networks/factory.h"
#include "pipeline/corpus_mix.h"
#include "pipeline/pair_encoding.h"
#include "pipeline/parallel_text.h"
#include "pipeline/training.h"
#include "pipeline/training_vocabulary.h"
#include "pipeline/validation.h"

namespace gloss {

/// All settings of training a translation model from parallel text.
struct TranslationTrainingSettings {
  CorpusMixSettings text;
  ParallelFiles valid_text;
  CorpusSettings corpus;
  TokenizerSettings tokenizers;
  NetworkSettings network;  ///< its vocabulary sizes and special tokens follow from the tokenizers
  LoopSettings loop;
  ValidationSettings validation;
  int ranks = 1;  ///< that learn together
};
/// Every setting as stored in config.json.
Fields all_fields_of(TranslationTrainingSettings&);
/// Throws UsageError if settings do not fit together.
void check(const TranslationTrainingSettings&);
/// Throws UsageError naming the setting and both values if a setting that the result depends on differs from
/// the one that the training in `directory` was started with (`stored`, made from all_fields_of).
void expect_same_settings(const TranslationTrainingSettings&, const nlohmann::json& stored,
                          const std::string& directory);

/// Where and how a training runs; nothing here changes its result.
struct TrainingRun {
  std::string output;  ///< the training directory
  bool fresh = false;  ///< starts over, whatever stands there
  int threads = 1;
  std::function<bool()> stop_requested;  ///< asked between updates, first when learning begins
};

/// Trains a translation model, or continues the training that stands in the directory already. Returns why it
/// ended. All ranks train; only the first one uses the directory beyond reading what it continues from.
TrainingEnd train_translation(const TranslationTrainingSettings&, const TrainingRun&, Listener&, Ranks&);

}  // namespace gloss

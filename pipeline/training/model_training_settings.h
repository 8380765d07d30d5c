// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fields.h"
#include "model/networks/network_settings.h"
#include "pipeline/examples/tokenizer_pair.h"
#include "pipeline/reading/corpus_mix.h"
#include "pipeline/reading/parallel_text.h"
#include "pipeline/training/planned_settings.h"
#include "pipeline/training/start_settings.h"
#include "pipeline/training/training_loop.h"

namespace gloss {

/// The settings common to trainings of all kinds of models.
struct ModelTrainingSettings {
  CorpusMixSettings text;
  ParallelFiles valid_text;
  StartSettings start;
  std::shared_ptr<const StartingModels>
      starting_models{};  ///< those of `start`, opened; null: random initialisation
  TokenizerSettings tokenizers;
  std::vector<std::string> symbols;  ///< added to the vocabulary if missing; follow from other settings
  NetworkSettings network;           ///< its vocabulary sizes and special tokens follow from the tokenizers
  /// What is chosen once the training text is known; empty: nothing.
  std::optional<Planning> planning{};
  bool hold_out = true;  ///< set lines aside for validation if there is no other text for it
  bool validates() const { return !valid_text.empty() || holds_out(); }
  /// True if there is no validation text, but the training text gives one.
  bool holds_out() const { return hold_out && planning && valid_text.empty(); }
  LoopSettings loop;
  int ranks = 1;                      ///< processes that train together
  int mask_token = -1;                ///< follows from the tokenizers; -1: none
  std::vector<std::string> labels{};  ///< of a classifier; follow from the training text
};

/// The settings that every training stores in config.json in addition to its text, tokenizers and network:
/// starting models, loop and ranks.
Fields run_fields_of(ModelTrainingSettings&);
Field hold_out_field(ModelTrainingSettings&);
/// Throws UsageError if settings conflict.
void check(const ModelTrainingSettings&);

}  // namespace gloss

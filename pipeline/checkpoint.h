#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "base/fields.h"
#include "pipeline/batch_stream.h"
#include "pipeline/gradient.h"
#include "pipeline/optimizer.h"

namespace gloss {

/// How good a model is on text that it did not learn from.
struct ValidationFigures {
  double cross_entropy = 0;  ///< nats per target token
  double bleu = -1;          ///< of decoded text, 0 to 100; -1: not measured
  double perplexity() const;
};

/// Where a training is: together with weights and moments all that is needed to continue exactly. Random
/// numbers need no state of their own, since those of an update are a function of seed and update.
struct TrainingState {
  std::int64_t update = 0;  ///< done
  DataPosition position;    ///< behind the last batch learned from
  std::int64_t tokens = 0;  ///< target tokens learned from
  std::int64_t optimizer_steps = 0;
  std::int64_t skipped = 0;           ///< updates whose gradient was not finite
  std::int64_t skipped_in_a_row = 0;  ///< of these, those just now
  LossFigures unreported;             ///< since the last report
  std::int64_t validations = 0;
  std::int64_t without_improvement = 0;  ///< validations since the best one
  std::int64_t best_update = -1;         ///< -1: none as yet
  ValidationFigures best, latest;
  std::int64_t log_lines = 0;
  /// True if the checkpoint exists only to continue from, because the training was stopped or some time had
  /// passed; it is removed when there is a later one.
  bool temporary = true;
};
Fields fields_of(TrainingState&);

/// Writes what continuing needs beside the model into a checkpoint: training.json and optimizer.safetensors.
/// `data` identifies the data learned from and is kept as it is.
void write_training(const std::string& folder, const TrainingState&, const nlohmann::json& data, Optimizer&);

/// The content of training.json.
struct TrainingRecord {
  TrainingState state;
  nlohmann::json data;
};
/// Throws InputError if the file is missing or damaged.
TrainingRecord read_training_record(const std::string& folder);
/// Throws InputError unless optimizer.safetensors is whole and holds moments for `flat_size` weights.
void check_optimizer(const std::string& folder, std::int64_t flat_size);
/// Puts back moments and number of steps; throws InputError if they are not those of as many weights.
void read_optimizer(const std::string& folder, const TrainingState&, Optimizer&);

}  // namespace gloss

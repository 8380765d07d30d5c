#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "base/fields.h"
#include "pipeline/batch_stream.h"
#include "pipeline/divergence.h"
#include "pipeline/gradient.h"
#include "pipeline/optimizer.h"
#include "pipeline/weight_ranges.h"

namespace gloss {

/// How good a model is on text that it did not learn from.
struct ValidationFigures {
  double cross_entropy = 0;        ///< nats per target token
  double bleu = -1;                ///< of decoded text, 0 to 100; -1: not measured
  double bits_per_character = -1;  ///< of the text, an end counted for each line; -1: not measured
  double accuracy = -1;            ///< of labels, 0 to 100; -1: not measured
  double perplexity() const;
};

/// Where a training is: together with weights and moments all that is needed to continue exactly. Random
/// numbers need no state of their own, since those of an update are a function of seed and update.
struct TrainingState {
  std::int64_t update = 0;  ///< done
  DataPosition position;    ///< behind the last batch learned from
  std::int64_t tokens = 0;  ///< target tokens learned from
  std::int64_t optimizer_steps = 0;
  std::int64_t skipped = 0;           ///< updates whose step would have done harm
  std::int64_t skipped_in_a_row = 0;  ///< of these, those just now
  DivergenceState recent;             ///< what the others are compared with
  double warmup_progress = 0;  ///< share of the training behind at the end of the warm-up, if it counts
  LossFigures unreported;      ///< since the last report
  std::int64_t validations = 0;
  std::int64_t without_improvement = 0;  ///< validations since the best one
  std::int64_t best_update = -1;         ///< -1: none as yet
  ValidationFigures best, latest;
  std::int64_t log_lines = 0;
  /// True if the checkpoint exists only to continue from, because the training was stopped or some time had
  /// passed; it is removed when there is a later one.
  bool temporary = true;
  /// Of all runs. Stored apart, in time.json, so that no other file depends on the clock.
  double seconds = 0;
};
Fields fields_of(TrainingState&);

/// The arrays that learning needs beside the weights in the model's file.
struct LearningArrays {
  Optimizer& optimizer;
  std::span<const WeightRange> ranges;  ///< of all parameters
  /// The flat array of the weights that learning goes on from, if the model's are their moving average; else
  /// empty.
  std::span<float> weights;
};

/// Writes what continuing needs beside the model into a checkpoint: training.json, time.json and
/// optimizer.safetensors. `data` identifies the data learned from and is kept as it is.
void write_training(const std::string& folder, const TrainingState&, const nlohmann::json& data,
                    const LearningArrays&);

/// The content of training.json and time.json.
struct TrainingRecord {
  TrainingState state;
  nlohmann::json data;
};
/// Throws InputError if a file is missing or damaged.
TrainingRecord read_training_record(const std::string& folder);
/// Throws InputError unless optimizer.safetensors is whole and holds what fits a network of these parameters.
void check_learning(const std::string& folder, std::span<const WeightRange>);
/// Puts back all arrays and the number of steps; throws InputError if the file has others, or numbers that
/// cannot be.
void read_learning(const std::string& folder, const TrainingState&, const LearningArrays&);

}  // namespace gloss

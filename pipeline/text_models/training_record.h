// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "model/formats/safetensors.h"
#include "model/layers/weight_ranges.h"
#include "pipeline/examples/batch_stream.h"

namespace gloss {

/// The results of a validation on held-out text.
struct ValidationFigures {
  double cross_entropy = 0;        ///< nats per target token
  double bleu = -1;                ///< BLEU of the decoded text, 0 to 100; -1: not measured
  double bits_per_character = -1;  ///< with one character for the end of each line; -1: not measured
  double accuracy = -1;            ///< percentage of correct labels, 0 to 100; -1: not measured
  double old_bleu = -1;            ///< of text that a starting model knew; -1: not measured; not stored
  /// A line, its translation by the model, and the right one.
  struct Sample {
    std::string source, translation, reference;
  };
  std::vector<Sample> samples{};  ///< to look at; not stored
  double perplexity() const;
};

/// Weighted sums of losses over target tokens.
struct LossFigures {
  double loss = 0;           ///< the training objective
  double cross_entropy = 0;  ///< -log p of the targets in nats
  std::int64_t tokens = 0;   ///< number of target tokens
  double weight = 0;         ///< total weight of the target tokens, the divisor of the means
  LossFigures& operator+=(const LossFigures& other) {
    loss += other.loss;
    cross_entropy += other.cross_entropy;
    tokens += other.tokens;
    weight += other.weight;
    return *this;
  }
};

/// log(max(value, 1e-30)).
double floored_logarithm(double value);
/// Exponentially weighted mean and variance of a positive quantity's logarithm.
struct RecentLogarithms {
  double mean = 0, variance = 0;
  /// `share` is the weight of the new value. With 1/n for the n-th value, the results are the arithmetic mean
  /// and the population variance.
  void add(double value, double share);
};

/// Running statistics of past steps, which detect divergence; part of the training state.
struct DivergenceState {
  std::int64_t steps = 0;
  RecentLogarithms loss, gradient_norm;
};
/// The names have the prefix "recent_".
Fields fields_of(DivergenceState&);

/// The state of a training. Together with weights and optimizer moments it suffices to continue exactly. The
/// random number generator has no state: the random numbers of an update depend only on seed and update.
struct TrainingState {
  std::int64_t update = 0;  ///< number of completed updates
  DataPosition position;    ///< after the last batch used
  std::int64_t tokens = 0;  ///< number of target tokens used
  std::int64_t optimizer_steps = 0;
  std::int64_t skipped = 0;           ///< number of updates skipped because their step would have done harm
  std::int64_t skipped_in_a_row = 0;  ///< number of consecutive skipped updates up to now
  DivergenceState recent;             ///< statistics that new steps are compared with
  /// The updates that fit into the time limit; 0: not planned. Corrected once, by the time of the first ones.
  std::int64_t planned_updates = 0;
  bool plan_corrected = false;
  double warmup_progress = 0;  ///< fraction of the training completed at the end of the warm-up, if used
  LossFigures unreported;      ///< since the last report
  std::int64_t validations = 0;
  std::int64_t without_improvement = 0;  ///< number of validations since the best one
  std::int64_t best_update = -1;         ///< -1: none yet
  ValidationFigures best, latest;
  std::int64_t log_lines = 0;
  /// True if the checkpoint serves only to resume the training, because it was saved when the training was
  /// stopped or after some time; it is removed once there is a later checkpoint.
  bool temporary = true;
  /// Training time of all runs. Stored separately in time.json, so that no other file depends on the clock.
  double seconds = 0;
};
Fields fields_of(TrainingState&);

/// The content of training.json and time.json.
struct TrainingRecord {
  TrainingState state;
  std::shared_ptr<const nlohmann::json> data;  ///< identifies the training data
};
/// Throws InputError if a file is missing or damaged.
TrainingRecord read_training_record(const std::string& folder);
/// Writes training.json and time.json. `data` identifies the training data and is stored verbatim.
void write_training_record(const std::string& folder, const TrainingState&, const nlohmann::json& data);

/// Suffixes of the arrays in optimizer.safetensors; the names begin with the parameter's name.
inline constexpr const char* kFirstMoment = ".first_moment";
inline constexpr const char* kSecondMoment = ".second_moment";
std::string optimizer_path(const std::string& folder);
/// Throws InputError if the file has an array that is not `known`.
void expect_no_others(const SafetensorsFile&, const std::set<std::string>& known);
/// Throws InputError if optimizer.safetensors is damaged or does not match these parameters.
void check_learning(const std::string& folder, std::span<const WeightRange>);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <vector>

#include "pipeline/reading/line_report.h"
#include "pipeline/tasks/parallel_batches.h"
#include "pipeline/text_models/text_model.h"

namespace gloss {

/// Settings of classification.
struct ClassificationSettings {
  bool explain = false;  ///< also compute the attention that each word gets
  SearchBatchSettings batches;
};

/// A label and its probability.
struct LabelProbability {
  std::string label;
  double probability = 0;
};

/// The labels with their probabilities, given log p of each, the most probable first.
std::vector<LabelProbability> ranked_labels(const std::vector<std::string>& labels,
                                            std::span<const float> log_p);

/// A word and its share of the attention.
struct WordAttention {
  std::string word;
  double attention = 0;
};

/// The classification of a line.
struct ClassifiedLine : LineReport {
  std::vector<LabelProbability> labels;  ///< all labels, the most probable first; empty for a blank line
  /// In order, if `explain` is set; those of an item are the names of places (place_names).
  std::vector<WordAttention> words;
  std::string item{};  ///< that the line names, if `explain` is set
};

/// Classifies lines. A line has one text, or two separated by a tab, as in training. A line's result depends
/// on the line alone.
class Classifier {
 public:
  /// The model must be a classifier and outlive this object. Throws UsageError if `explain` is set but the
  /// network has no attention.
  Classifier(const TextModel&, const ClassificationSettings&, int threads);

  /// The most tokens of a line of one text that the network has room for.
  int longest() const;
  /// One result per line, in their order.
  std::vector<ClassifiedLine> classify(
      std::span<const std::string> lines, const std::function<void(int lines)>& finished = [](int) {}) const;

 private:
  std::vector<TokenId> prepare(const std::string& line, ClassifiedLine&) const;
  void take_results(const ReadTogether&, std::span<ClassifiedLine> results) const;
  std::vector<WordAttention> words_of(std::span<const TokenId> row, std::span<const float> attention) const;

  const TextModel& model_;
  ClassificationSettings settings_;
  int threads_;
};

}  // namespace gloss

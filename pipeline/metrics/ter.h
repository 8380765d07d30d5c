// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/metrics/edit_distance.h"
#include "pipeline/metrics/metric.h"
#include "pipeline/metrics/tercom_tokenizer.h"

namespace gloss {

/// Counts the edits of translation edit rate: insertions, deletions, substitutions and shifts of phrases,
/// found by Tercom's greedy search with sacreBLEU's limits. Reuses its working memory.
class TranslationEdits {
 public:
  using Words = std::span<const std::uint32_t>;
  /// The number of edits that turn `hypothesis` into `reference`.
  int count(Words hypothesis, Words reference);

 private:
  struct Shift {
    int gain = 0, length = 0, start = 0, target = 0;
  };
  void index_places(Words reference);
  bool best_shift(Words reference, Shift& best);
  void consider(Shift shift, int distance, Shift& best, bool& found);
  std::pair<std::size_t, std::size_t> shifted(const Shift& shift);
  void align(Words reference);

  EditDistance distance_;
  std::vector<std::uint32_t> words_, changed_;
  std::vector<Edit> edits_;
  std::vector<int> alignment_;  // by reference word: index of hypothesis word, or -1
  std::vector<int> hypothesis_errors_, reference_errors_;  // number of errors before each word
  // Linked positions of each word in the reference; the first ones within reach of a shift.
  std::vector<int> first_place_, next_place_;
  int checked_ = 0;
};

/// Translation edit rate (Snover et al. 2006). Figures: the number of edits for the best reference and the
/// mean length of the references.
class Ter : public Metric {
 public:
  explicit Ter(const TerSettings& settings) : settings_(settings) {}
  std::string name() const override { return "TER"; }
  SignatureFields signature() const override;
  std::size_t figures() const override { return 2; }
  std::unique_ptr<Comparer> comparer() const override;
  double score(std::span<const double> sums) const override;
  double sample_score(std::span<const float> sums) const override;
  bool lower_is_better() const override { return true; }

 private:
  TerSettings settings_;
};

}  // namespace gloss

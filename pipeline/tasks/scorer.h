// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/reading/line_report.h"
#include "pipeline/reading/parallel_text.h"
#include "pipeline/text_models/text_model.h"
#include "pipeline/translation/translator.h"

namespace gloss {

/// The score of a pair under the models.
struct ScoredPair : LineReport {
  double score = 0;            ///< log_probability / tokens ^ length_penalty
  double log_probability = 0;  ///< of all target tokens and the end token
  int tokens = 0;              ///< number of target tokens, including the end token
  std::vector<TranslatedWord> words{};
  double end_log_probability = 0;
  /// For plain text: number of code points that the tokens decode to, plus one for the end of the line.
  std::int64_t characters = 0;
  /// exp(-log_probability / tokens).
  double perplexity() const;
};

/// Computes the log-probability of translations under one or several models by teacher forcing. The result
/// equals that of `Translator` for the same tokens up to rounding. Language models score lines of plain text,
/// given as targets with empty sources; a line longer than a model's positions is scored in parts, like the
/// blocks of training. A pair's score does not depend on other pairs or on the number of threads.
class Scorer {
 public:
  /// Uses only the length penalty, the length limits, the word scores and the batch settings. The models must
  /// outlive the scorer.
  Scorer(const TextModels&, const TranslationSettings&, int threads);

  /// Lets sources name items, such as images.
  void read_items(ItemRows items) { items_ = std::move(items); }

  /// One result per pair, in their order. A pair of two blank lines has log-probability 0, like the
  /// translation of a blank line. Throws Error if the networks' outputs are not finite.
  std::vector<ScoredPair> score(
      std::span<const SentencePair> pairs, const std::function<void(int pairs)>& finished = [](int) {}) const;

 private:
  /// A tokenised pair, each side with its end token.
  struct Prepared {
    std::vector<TokenId> source, target;
    ItemNumbers numbers{};  // of an item
  };
  /// A part of a pair's target that is scored as one row.
  struct Part {
    std::size_t pair, begin, count;
  };
  Prepared prepare(const SentencePair&, ScoredPair&) const;
  std::vector<Part> parts_of(std::span<const Prepared>) const;
  /// The source row of a part: the pair's source for the first part, then the preceding token.
  static std::vector<TokenId> source_of(const Prepared&, const Part&);
  /// The log-probability of every target token of the batch.
  std::vector<double> log_probabilities(const Batch&) const;
  void fill(const Prepared&, std::span<const double> log_probabilities, ScoredPair&) const;

  std::optional<ItemRows> items_;  // empty: sources are text
  const TextModels& models_;
  TranslationSettings settings_;
  int threads_;
  bool plain_;  // true for language models
};

/// Sums over scored pairs.
struct ScoreTotals {
  std::int64_t pairs = 0, tokens = 0, characters = 0;
  double log_probability = 0;
  void add(const ScoredPair&);
  double cross_entropy() const { return tokens == 0 ? 0 : -log_probability / static_cast<double>(tokens); }
  double perplexity() const;
  /// For plain text; 0 if there is none.
  double bits_per_character() const;
};

}  // namespace gloss

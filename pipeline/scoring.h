#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/parallel_text.h"
#include "pipeline/translation_model.h"

namespace gloss {

/// What the models think of a pair.
struct ScoredPair {
  double score = 0;            ///< log_probability / tokens ^ length_penalty
  double log_probability = 0;  ///< of all target tokens and the end
  int tokens = 0;              ///< of the target, the end counted
  std::vector<TranslatedWord> words{};
  double end_log_probability = 0;
  int left_out = 0;           ///< tokens of either side beyond what the model has positions for
  std::int64_t replaced = 0;  ///< invalid UTF-8 sequences in the pair
};

/// Gives the log-probability of translations under one or several models: what `Translator` gives for the
/// same tokens, to rounding. A pair's score does not depend on the pairs beside it or on threads.
class Scorer {
 public:
  /// Of the settings, the length penalty, the limits of lengths and the batches count. The models must live
  /// longer.
  Scorer(const TranslationModels&, const TranslationSettings&, int threads);

  /// As many results as pairs, in their order. A pair of two blank lines has log-probability 0, as
  /// translations of blank lines have.
  std::vector<ScoredPair> score(
      std::span<const SentencePair> pairs, const std::function<void(int pairs)>& finished = [](int) {}) const;

 private:
  /// A pair made ready for the networks: tokens with their ends.
  struct Prepared {
    std::vector<TokenId> source, target;
  };
  Prepared prepare(const SentencePair&, ScoredPair&) const;
  /// log p of every target token of the rows.
  std::vector<double> log_probabilities(const Batch&) const;
  void fill(const Prepared&, std::span<const double> log_probabilities, ScoredPair&) const;

  const TranslationModels& models_;
  TranslationSettings settings_;
  int threads_;
};

/// Sums over scored pairs.
struct ScoreTotals {
  std::int64_t pairs = 0, tokens = 0;
  double log_probability = 0;
  void add(const ScoredPair&);
  double cross_entropy() const { return tokens == 0 ? 0 : -log_probability / static_cast<double>(tokens); }
  double perplexity() const;
};

}  // namespace gloss

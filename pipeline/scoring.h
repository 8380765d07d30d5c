#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/parallel_text.h"
#include "pipeline/text_model.h"

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
  /// Of a line of plain text: code points that its tokens say, and one for its end.
  std::int64_t characters = 0;
  /// Per token.
  double perplexity() const;
};

/// Gives the log-probability of translations under one or several models: what `Translator` gives for the
/// same tokens, to rounding. Under language models it is that of lines of plain text, which are targets of
/// empty sources; a line that is longer than a model's positions is scored in parts, as it would have been
/// learned in blocks. A pair's score does not depend on the pairs beside it or on threads.
class Scorer {
 public:
  /// Of the settings, the length penalty, the limits of lengths and the batches count. The models must live
  /// longer.
  Scorer(const TextModels&, const TranslationSettings&, int threads);

  /// As many results as pairs, in their order. A pair of two blank lines has log-probability 0, as
  /// translations of blank lines have. Throws Error if the networks give numbers that are not finite.
  std::vector<ScoredPair> score(
      std::span<const SentencePair> pairs, const std::function<void(int pairs)>& finished = [](int) {}) const;

 private:
  /// A pair made ready for the networks: tokens with their ends.
  struct Prepared {
    std::vector<TokenId> source, target;
  };
  /// A part of a pair's target that is scored as one row.
  struct Part {
    std::size_t pair, begin, count;
  };
  Prepared prepare(const SentencePair&, ScoredPair&) const;
  std::vector<Part> parts_of(std::span<const Prepared>) const;
  /// What stands before a part: the pair's source, or the token before.
  static std::vector<TokenId> source_of(const Prepared&, const Part&);
  /// log p of every target token of the rows.
  std::vector<double> log_probabilities(const Batch&) const;
  void fill(const Prepared&, std::span<const double> log_probabilities, ScoredPair&) const;

  const TextModels& models_;
  TranslationSettings settings_;
  int threads_;
  bool plain_;  // language models
};

/// Sums over scored pairs.
struct ScoreTotals {
  std::int64_t pairs = 0, tokens = 0, characters = 0;
  double log_probability = 0;
  void add(const ScoredPair&);
  double cross_entropy() const { return tokens == 0 ? 0 : -log_probability / static_cast<double>(tokens); }
  double perplexity() const;
  /// Of plain text; 0 without any.
  double bits_per_character() const;
};

}  // namespace gloss

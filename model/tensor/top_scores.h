// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/kernels/token_scores.h"

namespace gloss {

/// Reduces rows of scores, one score per token of a vocabulary, to the values that search needs: the best
/// tokens of each row, the scores of some tokens, and log(sum(exp(scores))). Scores arrive in panels, so that
/// they need not all be in memory; a row's result depends on its scores alone, bit for bit.
class TopScores {
 public:
  /// The values to keep.
  struct Wanted {
    int best = 1;                       ///< number of best tokens per row
    std::vector<std::int32_t> watched;  ///< tokens whose scores are kept for every row
  };

  /// Resets, and expects `rows` rows of `vocabulary` scores.
  void begin(std::int64_t rows, std::int64_t vocabulary, const Wanted&);
  /// Adds the scores of a row's tokens `first` .. `first + count - 1`: a whole panel of kScorePanel tokens,
  /// or the last panel. The panels of a row must come in order.
  void add(std::int64_t row, std::int64_t first, std::int64_t count, const float* scores);
  /// Adds all scores of a row.
  void add_row(std::int64_t row, const float* scores);
  /// Adds all scores of a row restricted to `tokens` (ascending, unique); all other tokens get -infinity.
  void add_part(std::int64_t row, std::span<const std::int32_t> tokens, std::span<const float> scores);

  std::int64_t rows() const { return static_cast<std::int64_t>(tops_.size()); }
  /// Best first, ties by lower token; at most `Wanted::best`, fewer if the row has fewer tokens.
  std::span<const ScoredToken> best(std::int64_t row) const;
  /// log(sum(exp(scores))): not finite if a score is not finite or all are -infinity.
  double log_sum(std::int64_t row) const;
  /// The score of a watched token.
  float score(std::int64_t row, std::int32_t token) const;

 private:
  std::int64_t vocabulary_ = 0;
  Wanted wanted_;
  std::vector<TopTokens> tops_;
  std::vector<ScoredToken> best_;  // [rows, wanted]
  std::vector<float> watched_;     // [rows, watched]
};

/// The same for one row: fills `best`, no larger than the row, and returns log(sum(exp(scores))).
double top_tokens(std::span<const float> scores, std::span<ScoredToken> best);

}  // namespace gloss

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/tensor/kernels.h"

namespace gloss {

/// What search needs to know of rows of scores, one for each token of a vocabulary: the best of each row, the
/// scores of some tokens, and log(sum(exp(scores))). Scores are shown a panel of tokens at a time, so that
/// they need not all be in memory at once; a row's result depends on its scores alone, bit for bit.
class TopScores {
 public:
  /// Which scores are wanted.
  struct Wanted {
    int best = 1;                       ///< of each row
    std::vector<std::int32_t> watched;  ///< tokens of which every row's score is kept
  };

  /// Forgets what it knew and waits for `rows` rows of `vocabulary` scores.
  void begin(std::int64_t rows, std::int64_t vocabulary, const Wanted&);
  /// Shows the scores of a row's tokens `first` .. `first + count - 1`: a whole panel of kScorePanel tokens,
  /// or the last ones. The panels of a row come in their order.
  void add(std::int64_t row, std::int64_t first, std::int64_t count, const float* scores);
  /// Shows all of a row.
  void add_row(std::int64_t row, const float* scores);
  /// Shows all of a row that may have `tokens` (ascending, each once) and no others, which get the score
  /// -infinity.
  void add_part(std::int64_t row, std::span<const std::int32_t> tokens, std::span<const float> scores);

  std::int64_t rows() const { return static_cast<std::int64_t>(tops_.size()); }
  /// The best first, equal ones by lower token; as many as were wanted, or all that it may have.
  std::span<const ScoredToken> best(std::int64_t row) const;
  /// log(sum(exp(scores))): no finite number if a score is none or all are -infinity.
  double log_sum(std::int64_t row) const;
  /// Of a watched token.
  float score(std::int64_t row, std::int32_t token) const;

 private:
  std::int64_t vocabulary_ = 0;
  Wanted wanted_;
  std::vector<TopTokens> tops_;
  std::vector<ScoredToken> best_;  // [rows, wanted]
  std::vector<float> watched_;     // [rows, watched]
};

/// The same of one row: fills `best`, no larger than the row, and returns log(sum(exp(scores))).
double top_tokens(std::span<const float> scores, std::span<ScoredToken> best);

}  // namespace gloss

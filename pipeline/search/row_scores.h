// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/index.h"
#include "model/networks/batch.h"
#include "model/tensor/top_scores.h"

namespace gloss {

/// A possible next token and its log-probability.
struct Candidate {
  TokenId token;
  double log_probability;
};

/// Throws NoAnswer if the output of `network` is not finite, which means that its weights are damaged.
void expect_finite_score(double score, const std::string& network = "the network");

/// The scores (unnormalised log-probabilities) of a row's next token: those of all tokens, or only the
/// requested ones.
class RowScores {
 public:
  /// `impossible`: tokens with probability 0, which nobody asks for; the log-probabilities of the others are
  /// those without them. It must outlive this object, as must the scores.
  explicit RowScores(std::span<const float> all, std::span<const TokenId> impossible = {})
      : all_(all), impossible_(impossible) {}
  /// The scores in row `row` of `top`.
  RowScores(const TopScores& top, std::int64_t row, std::span<const TokenId> impossible = {})
      : impossible_(impossible), top_(&top), row_(row) {}

  float operator[](TokenId token) const {
    return top_ == nullptr ? all_[index(token)] : top_->score(row_, token);
  }
  /// The scores of the whole vocabulary, which must have been requested.
  std::span<const float> all() const;
  /// Writes the `count` most probable tokens to `best`, the most probable first, ties by token; fewer if the
  /// row has fewer, and none with score -infinity. Returns log(sum(exp(scores))): the log-probability of any
  /// token is its score minus this value, which depends on the row's scores alone. Throws NoAnswer if a score
  /// is NaN or all are -infinity, which means that the weights are damaged.
  double top(int count, std::vector<Candidate>& best) const;
  /// The same for the tokens that `allows` accepts; calls it for as few tokens as possible. Probabilities are
  /// normalised over all tokens, not only the accepted ones.
  double top(int count, const std::function<bool(TokenId)>& allows, std::vector<Candidate>& best) const;

 private:
  /// Maximum number of tokens that `top` can return.
  std::size_t most() const;
  /// A normaliser without the impossible tokens.
  double without_impossible(double normalizer) const;

  std::span<const float> all_;
  std::span<const TokenId> impossible_;
  const TopScores* top_ = nullptr;  // null: all scores are known
  std::int64_t row_ = 0;
};

/// The scores that the searches of a batch need from a step of the network.
struct ScoreWish {
  bool all = false;
  TopScores::Wanted wanted;  ///< used if not `all`

  /// Requests at least the `count` best tokens.
  void want_best(int count) { wanted.best = std::max(wanted.best, count); }
  void watch(TokenId token) {
    if (std::ranges::find(wanted.watched, token) == wanted.watched.end()) wanted.watched.push_back(token);
  }
};

}  // namespace gloss

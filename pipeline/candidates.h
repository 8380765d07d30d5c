#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "model/networks/batch.h"
#include "model/tensor/top_scores.h"

namespace gloss {

/// A token that may come next, and how probable it is.
struct Candidate {
  TokenId token;
  double log_probability;
};

/// Throws Error if the number that a network gave is not finite: its weights are damaged.
void expect_finite_score(double score);

/// The scores of a row's next token: all of them, or what was wanted of them.
class RowScores {
 public:
  explicit RowScores(std::span<const float> all) : all_(all) {}
  /// Of row `row` of `top`, which must live longer.
  RowScores(const TopScores& top, std::int64_t row) : top_(&top), row_(row) {}

  float operator[](TokenId token) const {
    return top_ == nullptr ? all_[static_cast<std::size_t>(token)] : top_->score(row_, token);
  }
  /// Those of the whole vocabulary, which must have been asked for.
  std::span<const float> all() const;
  /// Puts the `count` most probable tokens (all of them if there are fewer; none of score -infinity) into
  /// `best`, the best first, equal ones by token. Returns log(sum(exp(scores))), so that the log-probability
  /// of any token is its score minus that; it depends on nothing but the row's numbers. Throws Error if a
  /// score is not a number or all are minus infinity: the weights are damaged.
  double top(int count, std::vector<Candidate>& best) const;
  /// The same of those tokens that `allows`; asks of no more than it needs to. Probabilities stay those among
  /// all tokens.
  double top(int count, const std::function<bool(TokenId)>& allows, std::vector<Candidate>& best) const;

 private:
  /// How many tokens can be had at most.
  std::size_t most() const;

  std::span<const float> all_;
  const TopScores* top_ = nullptr;  // null: all are known
  std::int64_t row_ = 0;
};

/// What the searches of a batch need to know of a step's scores.
struct ScoreWish {
  bool all = false;
  TopScores::Wanted wanted;  ///< if not all are

  /// At least `count` of the best.
  void want_best(int count) { wanted.best = std::max(wanted.best, count); }
  void watch(TokenId token) {
    if (std::ranges::find(wanted.watched, token) == wanted.watched.end()) wanted.watched.push_back(token);
  }
};

}  // namespace gloss

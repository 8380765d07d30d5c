// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "pipeline/search/ended_hypotheses.h"
#include "pipeline/search/row_scores.h"
#include "pipeline/search/row_search.h"

namespace gloss {

/// The possible next tokens with their probabilities.
class DrawableTokens {
 public:
  using Allows = std::function<bool(TokenId)>;
  /// Probabilities are proportional to exp(score / temperature), among the allowed tokens that `top_k` and
  /// `top_p` keep.
  DrawableTokens(std::span<const float> scores, const SamplingSettings&, Allows);
  /// Samples an allowed token; -1: no token is allowed. Uses one random number per try.
  TokenId draw(Random&) const;

  /// A token and its probability, not normalised.
  struct Share {
    TokenId token;
    double weight;
  };

 private:
  std::vector<Share> shares_;
  double total_;
  Allows allows_;
};

/// Samples `n_best` translations of a row, token by token. The random numbers of a translation depend only on
/// the seed, the row's number and the translation's number in the row, not on other rows or threads.
class Sampler : public RowSearch {
 public:
  explicit Sampler(const RowStart&);

  std::span<const Live> live() const override { return live_; }
  void add_wish(ScoreWish&, int ahead) const override;
  void advance(std::span<const RowScores> scores, std::span<const float> attention) override;
  std::vector<Hypothesis> hypotheses() const override { return ended_.hypotheses(trace_); }

 private:
  /// Prepares to continue a live translation; several translations may continue the same one.
  void look_at(std::size_t place, const RowScores& scores);
  /// Continues the translation passed to the latest `look_at`.
  void continue_from(int place, Random&, const RowScores& scores);

  SearchSettings settings_;
  TokenRules rules_;
  RowDemands demands_;
  TokenId end_;
  int limit_;
  int length_ = 0;
  double forced_ = 0;  // log-probability of the forced tokens
  std::vector<Live> live_, next_;
  std::vector<Random> random_, next_random_;  // of the live translations
  EndedHypotheses ended_;
  Trace trace_;
  // Of the translation passed to the latest `look_at`:
  std::vector<TokenId> so_far_;  // if there are rules
  std::vector<Candidate> candidates_;
  double normalizer_ = 0;
  std::optional<DrawableTokens> drawable_;  // empty if the next token is fixed
};

}  // namespace gloss

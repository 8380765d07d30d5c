#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "pipeline/candidates.h"
#include "pipeline/ended.h"
#include "pipeline/row_search.h"

namespace gloss {

/// The tokens that may come next, each with its share of the probability.
class DrawableTokens {
 public:
  using Allows = std::function<bool(TokenId)>;
  /// Shares are proportional to exp(score / temperature), among those tokens that `top_k` and `top_p` leave
  /// of what is allowed.
  DrawableTokens(std::span<const float> scores, const SamplingSettings&, Allows);
  /// One of those allowed; -1: none is. Uses one random number for each try.
  TokenId draw(Random&) const;

  /// A share of the probability, not normalised.
  struct Share {
    TokenId token;
    double weight;
  };

 private:
  std::vector<Share> shares_;
  double total_;
  Allows allows_;
};

/// Draws `n_best` translations of a row, token by token. The random numbers of a translation are a function
/// of the seed, the row's number and the translation's own number, so that neighbours and threads do not
/// matter.
class Sampler : public RowSearch {
 public:
  explicit Sampler(const RowStart&);

  std::span<const Live> live() const override { return live_; }
  void add_wish(ScoreWish&) const override;
  void advance(std::span<const RowScores> scores, std::span<const float> attention) override;
  std::vector<Hypothesis> hypotheses() const override { return ended_.hypotheses(trace_); }

 private:
  /// Prepares for going on from a live translation; several may go on from one.
  void look_at(std::size_t place, const RowScores& scores);
  /// Goes on from the one that was looked at last.
  void continue_from(int place, Random&, const RowScores& scores);

  SearchSettings settings_;
  TokenRules rules_;
  RowDemands demands_;
  TokenId end_;
  int limit_;
  int length_ = 0;
  std::vector<Live> live_, next_;
  std::vector<Random> random_, next_random_;  // of the live ones
  EndedHypotheses ended_;
  Trace trace_;
  // Of the place that was looked at last:
  std::vector<TokenId> so_far_;  // if there are rules
  std::vector<Candidate> candidates_;
  double normalizer_ = 0;
  std::optional<DrawableTokens> drawable_;  // none where nothing is drawn
};

}  // namespace gloss

#pragma once

#include "base/random.h"
#include "pipeline/candidates.h"
#include "pipeline/ended.h"
#include "pipeline/row_search.h"

namespace gloss {

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
  void continue_from(int place, Random&, const RowScores& scores);
  /// The next token, or the end if the rules leave nothing else.
  TokenId draw(int place, Random&, const RowScores& scores);

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
  std::vector<TokenId> so_far_;
  std::vector<Candidate> candidates_;
};

/// Draws one of the tokens that `allows`: with a probability proportional to exp(score / temperature), among
/// those that `top_k` and `top_p` leave. -1 if none is allowed. Uses one random number for each try.
TokenId draw_token(std::span<const float> scores, const SamplingSettings&, Random&,
                   const std::function<bool(TokenId)>& allows);

}  // namespace gloss

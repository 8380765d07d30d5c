// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/row_scores.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"

namespace gloss {

void expect_finite_score(double score, const std::string& network) {
  if (std::isfinite(score)) return;
  throw NoAnswer(
      concat(network,
             ": the scores are not finite numbers: the weights of the model are damaged, or its training "
             "diverged (restore the model, or use an earlier checkpoint), or an item has numbers far outside "
             "of what it learned from"));
}

std::span<const float> RowScores::all() const {
  expects(top_ == nullptr, "a step that computed only the best scores was asked for all");
  return all_;
}

std::size_t RowScores::most() const { return top_ == nullptr ? all_.size() : top_->best(row_).size(); }

double RowScores::top(int count, std::vector<Candidate>& best) const {
  const std::size_t wanted = std::min(index(count), most());
  double normalizer = 0;
  std::span<const ScoredToken> found;
  if (top_ == nullptr) {
    thread_local std::vector<ScoredToken> own;
    own.resize(wanted);
    normalizer = top_tokens(all_, own);
    found = own;
  } else {
    normalizer = top_->log_sum(row_);
    found = top_->best(row_).first(wanted);
  }
  expect_finite_score(normalizer);
  if (!impossible_.empty()) normalizer = without_impossible(normalizer);
  best.clear();
  for (const ScoredToken& token : found) {
    if (std::isinf(token.score)) break;  // tokens are sorted: this and all later ones are impossible
    best.push_back({token.token, static_cast<double>(token.score) - normalizer});
  }
  return normalizer;
}

double RowScores::without_impossible(double normalizer) const {
  constexpr double kLeast = 1e-7;  // a remainder below it would be made of rounding errors
  double share = 0;
  for (const TokenId token : impossible_) share += std::exp(static_cast<double>((*this)[token]) - normalizer);
  return normalizer + std::log(std::max(1 - share, kLeast));
}

double RowScores::top(int count, const std::function<bool(TokenId)>& allows,
                      std::vector<Candidate>& best) const {
  constexpr int kMore = 4;  // factor by which the search widens if too few tokens were accepted
  const auto wanted = index(count);
  for (std::size_t looked_at = wanted + 1;; looked_at *= kMore) {
    looked_at = std::min(looked_at, most());
    const double normalizer = top(static_cast<int>(looked_at), best);
    std::size_t kept = 0, seen = 0;
    for (; seen < best.size() && kept < wanted; ++seen) {
      if (allows(best[seen].token)) best[kept++] = best[seen];
    }
    best.resize(kept);
    if (kept == wanted || looked_at == most()) return normalizer;
  }
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/top_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"

namespace gloss {
namespace {

TopTokens nothing_seen(ScoredToken* best, std::int64_t wanted) {
  return {best, wanted, 0, -std::numeric_limits<float>::infinity(), 0.0};
}

double log_sum_of(const TopTokens& top) { return static_cast<double>(top.largest) + std::log(top.exps); }

/// Calls `use(first, count)` for the panels of a row.
template <class Use>
void each_panel(std::int64_t vocabulary, Use use) {
  for (std::int64_t first = 0; first < vocabulary; first += kScorePanel) {
    use(first, std::min(kScorePanel, vocabulary - first));
  }
}

/// Adds all scores of a row to `top`, panel by panel.
void add_tokens(std::span<const float> scores, TopTokens& top) {
  each_panel(static_cast<std::int64_t>(scores.size()), [&](std::int64_t first, std::int64_t count) {
    kernels().add_tokens(scores.data() + first, first, count, top);
  });
}

}  // namespace

void TopScores::begin(std::int64_t rows, std::int64_t vocabulary, const Wanted& wanted) {
  vocabulary_ = vocabulary;
  wanted_ = wanted;
  const std::int64_t most = std::min<std::int64_t>(wanted.best, vocabulary);
  best_.resize(index(rows * most));
  watched_.resize(index(rows) * wanted.watched.size());
  tops_.clear();
  for (std::int64_t row = 0; row < rows; ++row) {
    tops_.push_back(nothing_seen(best_.data() + row * most, most));
  }
}

void TopScores::add(std::int64_t row, std::int64_t first, std::int64_t count, const float* scores) {
  kernels().add_tokens(scores, first, count, tops_[index(row)]);
  const std::size_t watched = wanted_.watched.size();
  for (std::size_t w = 0; w < watched; ++w) {
    const std::int64_t place = wanted_.watched[w] - first;
    if (place < 0 || place >= count) continue;
    watched_[index(row) * watched + w] = scores[place];
  }
}

void TopScores::add_row(std::int64_t row, const float* scores) {
  each_panel(vocabulary_,
             [&](std::int64_t first, std::int64_t count) { add(row, first, count, scores + first); });
}

void TopScores::add_part(std::int64_t row, std::span<const std::int32_t> tokens,
                         std::span<const float> scores) {
  TopTokens& top = tops_[index(row)];
  add_tokens(scores, top);
  for (ScoredToken& best : std::span(top.best, index(top.kept))) {
    best.token = tokens[index(best.token)];
  }
  const std::size_t watched = wanted_.watched.size();
  for (std::size_t w = 0; w < watched; ++w) {
    const auto found = std::ranges::lower_bound(tokens, wanted_.watched[w]);
    const bool may_come = found != tokens.end() && *found == wanted_.watched[w];
    watched_[index(row) * watched + w] =
        may_come ? scores[index(found - tokens.begin())] : -std::numeric_limits<float>::infinity();
  }
}

std::span<const ScoredToken> TopScores::best(std::int64_t row) const {
  const TopTokens& top = tops_[index(row)];
  return {top.best, index(top.kept)};
}

double TopScores::log_sum(std::int64_t row) const { return log_sum_of(tops_[index(row)]); }

float TopScores::score(std::int64_t row, std::int32_t token) const {
  const auto found = std::ranges::find(wanted_.watched, token);
  expects(found != wanted_.watched.end(), "the score of token ", token, " is not watched");
  return watched_[index(row) * wanted_.watched.size() + index(found - wanted_.watched.begin())];
}

double top_tokens(std::span<const float> scores, std::span<ScoredToken> best) {
  TopTokens top = nothing_seen(best.data(), static_cast<std::int64_t>(best.size()));
  add_tokens(scores, top);
  return log_sum_of(top);
}

}  // namespace gloss

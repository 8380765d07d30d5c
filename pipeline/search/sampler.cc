// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/sampler.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"

namespace gloss {
namespace {

using Share = DrawableTokens::Share;

bool less_probable(const Share& a, const Share& b) {
  return a.weight != b.weight ? a.weight < b.weight : a.token > b.token;
}

double sum(const std::vector<Share>& shares) {
  double total = 0;
  for (const Share& share : shares) total += share.weight;
  return total;
}

/// Truncates a list, the most probable first, to the smallest set whose sum reaches `top_p` * `total`.
void keep_probable(std::vector<Share>& sorted, double top_p, double total) {
  double reached = 0;
  std::size_t kept = 0;
  while (kept < sorted.size() && (kept == 0 || reached < top_p * total)) reached += sorted[kept++].weight;
  sorted.resize(kept);
}

/// The weights of all tokens; the most probable token has weight 1.
std::vector<Share> shares(std::span<const float> scores, double temperature) {
  const float top = *std::ranges::max_element(scores);
  std::vector<Share> all(scores.size());
  for (std::size_t token = 0; token < scores.size(); ++token) {
    all[token] = {static_cast<TokenId>(token),
                  std::exp(static_cast<double>(scores[token] - top) / temperature)};
  }
  return all;
}

/// The `top_k` most probable allowed tokens, then the smallest set of these that has `top_p` of their
/// probability. Pops tokens from a heap, so that most are neither sorted nor passed to `allows`.
std::vector<Share> most_probable(std::vector<Share> all, const SamplingSettings& settings,
                                 const std::function<bool(TokenId)>& allows) {
  const std::size_t most = settings.top_k > 0 ? index(settings.top_k) : all.size();
  double total = sum(all), reached = 0;
  std::make_heap(all.begin(), all.end(), less_probable);
  std::vector<Share> kept;
  while (!all.empty() && kept.size() < most && (settings.top_k > 0 || reached < settings.top_p * total)) {
    std::pop_heap(all.begin(), all.end(), less_probable);
    const Share next = all.back();
    all.pop_back();
    if (allows(next.token)) {
      kept.push_back(next);
      reached += next.weight;
    } else {
      total -= next.weight;
    }
  }
  if (settings.top_k > 0) keep_probable(kept, settings.top_p, sum(kept));
  return kept;
}

}  // namespace

DrawableTokens::DrawableTokens(std::span<const float> scores, const SamplingSettings& settings, Allows allows)
    : shares_(shares(scores, settings.temperature)), allows_(std::move(allows)) {
  if (settings.top_k > 0 || settings.top_p < 1) {
    shares_ = most_probable(std::move(shares_), settings, allows_);
  }
  total_ = sum(shares_);
}

TokenId DrawableTokens::draw(Random& random) const {
  // Rejection sampling: redrawing without a refused token is the same as sampling from the remaining ones.
  std::vector<bool> refused(shares_.size());
  for (double total = total_; total > 0;) {
    double place = random.uniform() * total;
    std::size_t drawn = 0;
    for (; drawn < shares_.size(); ++drawn) {
      if (refused[drawn]) continue;
      place -= shares_[drawn].weight;
      if (place < 0 && shares_[drawn].weight > 0) break;
    }
    if (drawn == shares_.size()) continue;
    if (allows_(shares_[drawn].token)) return shares_[drawn].token;
    refused[drawn] = true;
    total = 0;
    for (std::size_t i = 0; i < shares_.size(); ++i) total += refused[i] ? 0 : shares_[i].weight;
  }
  return -1;
}

Sampler::Sampler(const RowStart& start)
    : settings_(start.settings),
      rules_(start.rules),
      demands_(start.demands),
      end_(start.end),
      limit_(length_limit(start)),
      ended_(start.settings, start.settings.n_best),
      trace_(needs_attention(start.settings) ? start.source_length + 1 : 0) {
  live_.push_back({0, end_, Trace::kRoot, 0.0});
  const Random of_row = Random(static_cast<std::uint64_t>(settings_.sampling.seed)).derive(demands_.number);
  for (int i = 0; i < settings_.n_best; ++i) random_.push_back(of_row.derive(static_cast<std::uint64_t>(i)));
}

void Sampler::add_wish(ScoreWish& wish, int) const { wish.all = true; }

void Sampler::advance(std::span<const RowScores> scores, std::span<const float> attention) {
  trace_.begin_step(attention);
  next_.clear();
  next_random_.clear();
  for (std::size_t i = 0; i < random_.size(); ++i) {
    const std::size_t place = std::min(i, live_.size() - 1);  // at first there is one root for all
    if (i == place) look_at(place, scores[place]);
    continue_from(static_cast<int>(place), random_[i], scores[place]);
  }
  ++length_;
  live_.swap(next_);
  random_.swap(next_random_);
  if (length_ == demands_.forced && !live_.empty()) forced_ = live_.front().log_probability;
}

void Sampler::look_at(std::size_t place, const RowScores& scores) {
  normalizer_ = scores.top(1, candidates_);
  drawable_.reset();
  if (index(length_) < demands_.prefix.size() || length_ == limit_) return;
  if (!rules_.empty()) so_far_ = trace_.tokens_to(live_[place].node);
  drawable_.emplace(scores.all(), settings_.sampling, [this](TokenId token) {
    return token == end_ ? length_ >= settings_.min_length : all_allow(rules_, so_far_, token);
  });
}

void Sampler::continue_from(int place, Random& random, const RowScores& scores) {
  const Live live = live_[index(place)];
  TokenId token = end_;
  Cut cut = Cut::none;
  if (index(length_) < demands_.prefix.size()) {
    token = demands_.prefix[index(length_)];
  } else if (!drawable_) {
    if (candidates_.front().token != end_) cut = Cut::by_length;
  } else if (const TokenId drawn = drawable_->draw(random); drawn >= 0) {
    token = drawn;
  } else {
    cut = Cut::by_rules;
  }
  const double log_probability = live.log_probability + (static_cast<double>(scores[token]) - normalizer_);
  if (token == end_) {
    ended_.add(trace_, trace_.end(live.node, place, log_probability),
               length_normalized(settings_, log_probability - forced_, length_ + 1), cut, 0);
    return;
  }
  next_.push_back({place, token, trace_.add(live.node, place, token, log_probability), log_probability});
  next_random_.push_back(random);
}

}  // namespace gloss

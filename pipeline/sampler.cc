#include "pipeline/sampler.h"

#include <algorithm>
#include <cmath>

namespace gloss {
namespace {

/// A token with its share of the probability, not normalised.
struct Share {
  TokenId token;
  double weight;
};

bool less_probable(const Share& a, const Share& b) {
  return a.weight != b.weight ? a.weight < b.weight : a.token > b.token;
}

double sum(const std::vector<Share>& shares) {
  double total = 0;
  for (const Share& share : shares) total += share.weight;
  return total;
}

/// Cuts a list, the most probable first, to the fewest that have `top_p` of `total`.
void keep_probable(std::vector<Share>& sorted, double top_p, double total) {
  double reached = 0;
  std::size_t kept = 0;
  while (kept < sorted.size() && (kept == 0 || reached < top_p * total)) reached += sorted[kept++].weight;
  sorted.resize(kept);
}

/// All tokens; the most probable one has weight 1.
std::vector<Share> shares(std::span<const float> scores, double temperature) {
  const float top = *std::ranges::max_element(scores);
  std::vector<Share> all(scores.size());
  for (std::size_t token = 0; token < scores.size(); ++token) {
    all[token] = {static_cast<TokenId>(token),
                  std::exp(static_cast<double>(scores[token] - top) / temperature)};
  }
  return all;
}

/// The most probable of the tokens that are allowed: `top_k` of them, and of these the fewest that have
/// `top_p` of the probability. Takes them one by one, so that most are never compared or asked about.
std::vector<Share> most_probable(std::vector<Share> all, const SamplingSettings& settings,
                                 const std::function<bool(TokenId)>& allows) {
  const std::size_t most = settings.top_k > 0 ? static_cast<std::size_t>(settings.top_k) : all.size();
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

TokenId draw_token(std::span<const float> scores, const SamplingSettings& settings, Random& random,
                   const std::function<bool(TokenId)>& allows) {
  std::vector<Share> left = shares(scores, settings.temperature);
  if (settings.top_k > 0 || settings.top_p < 1) left = most_probable(std::move(left), settings, allows);
  // What is refused is left out and drawn for again, which is drawing from the others.
  for (double total = sum(left); total > 0; total = sum(left)) {
    double place = random.uniform() * total;
    const auto drawn = std::ranges::find_if(left, [&](const Share& share) {
      place -= share.weight;
      return place < 0 && share.weight > 0;
    });
    if (drawn != left.end()) {
      if (allows(drawn->token)) return drawn->token;
      drawn->weight = 0;
    }
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

void Sampler::add_wish(ScoreWish& wish) const { wish.all = true; }

void Sampler::advance(std::span<const RowScores> scores, std::span<const float> attention) {
  trace_.begin_step(attention);
  next_.clear();
  next_random_.clear();
  for (std::size_t i = 0; i < random_.size(); ++i) {
    const std::size_t place = std::min(i, live_.size() - 1);  // all begin at the one that is there at first
    continue_from(static_cast<int>(place), random_[i], scores[place]);
  }
  ++length_;
  live_.swap(next_);
  random_.swap(next_random_);
}

void Sampler::continue_from(int place, Random& random, const RowScores& scores) {
  const Live live = live_[static_cast<std::size_t>(place)];
  const auto length = static_cast<std::size_t>(length_);
  const double normalizer = scores.top(1, candidates_);
  const bool at_limit = length_ == limit_;
  bool cut = at_limit && candidates_.front().token != end_;
  TokenId token = end_;
  if (length < demands_.prefix.size()) {
    token = demands_.prefix[length];
  } else if (!at_limit) {
    token = draw(place, random, scores);
    if (token < 0) {
      token = end_;
      cut = true;
    }
  }
  const double log_probability = live.log_probability + (static_cast<double>(scores[token]) - normalizer);
  if (token == end_) {
    ended_.add(trace_, trace_.end(live.node, place, log_probability), length_ + 1, cut, 0);
    return;
  }
  next_.push_back({place, token, trace_.add(live.node, place, token, log_probability), log_probability});
  next_random_.push_back(random);
}

TokenId Sampler::draw(int place, Random& random, const RowScores& scores) {
  if (!rules_.empty()) so_far_ = trace_.tokens_to(live_[static_cast<std::size_t>(place)].node);
  return draw_token(scores.all(), settings_.sampling, random, [&](TokenId token) {
    return token == end_ ? length_ >= settings_.min_length : all_allow(rules_, so_far_, token);
  });
}

}  // namespace gloss

#include "pipeline/beam.h"

#include <algorithm>
#include <tuple>

namespace gloss {

Beam::Beam(const SearchSettings& settings, int source_length, TokenId end)
    : settings_(settings), end_(end), limit_(length_limit(settings, source_length)) {
  live_.push_back({0, end, kRoot, 0.0});
}

void Beam::advance(std::span<const float> scores) {
  const std::size_t vocabulary = scores.size() / live_.size();
  continuations_.clear();
  for (std::size_t place = 0; place < live_.size(); ++place) {
    continue_from(static_cast<int>(place), scores.subspan(place * vocabulary, vocabulary));
  }
  keep_most_probable();
  ++length_;
  next_.clear();
  for (const Continuation& continuation : continuations_) {
    const Live& parent = live_[static_cast<std::size_t>(continuation.parent)];
    if (continuation.token == end_) {
      finish(continuation);
    } else {
      next_.push_back({continuation.parent, continuation.token, static_cast<int>(trace_.size()),
                       continuation.log_probability});
      trace_.push_back({parent.node, continuation.token});
    }
  }
  while (!next_.empty() && !may_win(next_.back().log_probability)) next_.pop_back();
  live_.swap(next_);
}

void Beam::continue_from(int place, std::span<const float> scores) {
  const double so_far = live_[static_cast<std::size_t>(place)].log_probability;
  if (length_ == limit_) {
    const double normalizer = top_candidates(scores, 1, candidates_);
    const double end_score = scores[static_cast<std::size_t>(end_)];
    const bool cut = candidates_.front().token != end_;
    continuations_.push_back({so_far + (end_score - normalizer), end_, place, cut});
    return;
  }
  const bool may_end = length_ >= settings_.min_length;
  top_candidates(scores, settings_.beam_size + (may_end ? 0 : 1), candidates_);
  for (const Candidate& candidate : candidates_) {
    if (candidate.token == end_ && !may_end) continue;
    continuations_.push_back({so_far + candidate.log_probability, candidate.token, place, false});
  }
}

void Beam::keep_most_probable() {
  const auto order = [](const Continuation& a, const Continuation& b) {
    return std::tuple(-a.log_probability, a.token, a.parent) <
           std::tuple(-b.log_probability, b.token, b.parent);
  };
  const auto kept = std::min(continuations_.size(), static_cast<std::size_t>(settings_.beam_size));
  std::partial_sort(continuations_.begin(), continuations_.begin() + static_cast<std::ptrdiff_t>(kept),
                    continuations_.end(), order);
  continuations_.resize(kept);
}

void Beam::finish(const Continuation& continuation) {
  const double score = length_normalized(settings_, continuation.log_probability, length_);
  const auto place = std::upper_bound(ended_.begin(), ended_.end(), score,
                                      [](double value, const Ended& other) { return value > other.score; });
  const int node = live_[static_cast<std::size_t>(continuation.parent)].node;
  ended_.insert(place, {node, continuation.log_probability, score, continuation.cut});
  if (ended_.size() > static_cast<std::size_t>(settings_.n_best)) ended_.pop_back();
}

bool Beam::may_win(double log_probability) const {
  if (ended_.size() < static_cast<std::size_t>(settings_.n_best)) return true;
  return length_normalized(settings_, log_probability, limit_ + 1) > ended_.back().score;
}

std::vector<TokenId> Beam::tokens_to(int node) const {
  std::vector<TokenId> tokens;
  for (; node != kRoot; node = trace_[static_cast<std::size_t>(node)].parent) {
    tokens.push_back(trace_[static_cast<std::size_t>(node)].token);
  }
  std::reverse(tokens.begin(), tokens.end());
  return tokens;
}

std::vector<Hypothesis> Beam::hypotheses() const {
  std::vector<Hypothesis> results;
  for (const Ended& ended : ended_) {
    results.push_back({tokens_to(ended.node), ended.log_probability, ended.score, ended.cut});
  }
  return results;
}

}  // namespace gloss

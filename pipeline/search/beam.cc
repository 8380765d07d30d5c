// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/beam.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/index.h"

namespace gloss {
namespace {

/// Number of source positions whose attention the search of a row keeps.
int attended_positions(const RowStart& start) {
  const bool places_phrases = start.settings.follow_attention && start.demands.required != nullptr;
  const bool kept = start.settings.keep_attention || start.settings.coverage_penalty > 0;
  return places_phrases || kept ? start.source_length + 1 : 0;
}

}  // namespace

Beam::Beam(const RowStart& start)
    : settings_(start.settings),
      rules_(start.rules),
      demands_(start.demands),
      end_(start.end),
      limit_(length_limit(start)),
      width_(index(start.settings.beam_size)),
      ended_(start.settings, start.settings.n_best),
      trace_(attended_positions(start)) {
  live_.push_back({0, end_, Trace::kRoot, 0.0});
  if (demands_.required != nullptr) {
    phrase_scoring_ =
        std::make_unique<const PhraseScoring>(demands_.required, settings_, start.source_length);
    phrases_.push_back(phrase_scoring_->start());
    width_ *= index(demands_.required->phrases()) + 1;
    width_ = std::max(width_, index(demands_.required->total()) + 1);
  }
}

bool Beam::more_probable(const Continuation& a, const Continuation& b) {
  const auto rank = [](const Continuation& it) {
    return std::tuple(-(it.log_probability + it.phrases.costs.placement), it.token, it.parent);
  };
  return rank(a) < rank(b);
}

void Beam::add_wish(ScoreWish& wish, int ahead) const {
  const auto length = index(length_ + ahead);
  const std::optional<int> refused = most_refused(rules_, length);
  if (!refused || !phrases_.empty()) {
    wish.all = true;
    return;
  }
  wish.watch(end_);
  if (length < demands_.prefix.size()) {
    wish.watch(demands_.prefix[length]);
  } else if (length_ + ahead < limit_) {
    const int end = length_ + ahead >= settings_.min_length ? 0 : 1;
    wish.want_best(settings_.beam_size + end + *refused);
  }
}

void Beam::advance(std::span<const RowScores> scores, std::span<const float> attention) {
  trace_.begin_step(attention);
  continuations_.clear();
  for (std::size_t place = 0; place < live_.size(); ++place)
    continue_from(static_cast<int>(place), scores[place]);
  if (continuations_.empty() && ended_.empty()) {  // the rules allow no continuation
    for (std::size_t place = 0; place < live_.size(); ++place)
      end_here(static_cast<int>(place), scores[place]);
  }
  if (phrases_.empty()) {
    keep_most_probable();
  } else {
    keep_most_probable_of_each_stage();
  }
  ++length_;
  for (const Continuation& next : continuations_) {
    if (next.token != end_) continue;
    const Trace::End end = trace_.end(live_[index(next.parent)].node, next.parent, next.log_probability);
    ended_.add(trace_, end, score(next), next.cut, next.phrases.progress.missing);
    ++count_ended_;
  }
  next_.clear();
  next_phrases_.clear();
  for (Continuation& next : continuations_) {
    if (next.token == end_ || !may_win(next) || out_of_patience()) continue;
    const int parent = live_[index(next.parent)].node;
    const int node = trace_.add(parent, next.parent, next.token, next.log_probability);
    next_.push_back({next.parent, next.token, node, next.log_probability});
    if (!phrases_.empty()) next_phrases_.push_back(std::move(next.phrases));
  }
  live_.swap(next_);
  phrases_.swap(next_phrases_);
  if (length_ == demands_.forced && !live_.empty()) forced_ = live_.front().log_probability;
}

void Beam::continue_from(int place, const RowScores& scores) {
  const auto length = index(length_);
  if (!rules_.empty() || !phrases_.empty()) {
    so_far_ = trace_.tokens_to(live_[index(place)].node);
  }
  if (length < demands_.prefix.size()) {
    const TokenId token = demands_.prefix[length];
    const double normalizer = scores.top(1, candidates_);
    add(place, token, static_cast<double>(scores[token]) - normalizer);
  } else if (length_ == limit_) {
    end_here(place, scores);
  } else {
    add_candidates(place, scores);
  }
}

void Beam::add_candidates(int place, const RowScores& scores) {
  const bool ends = may_end(place);
  const bool free = phrases_.empty() || progress_of(place).needed < limit_ - length_;
  double normalizer = 0;
  if (free && ends && rules_.empty()) {
    normalizer = scores.top(settings_.beam_size, candidates_);
  } else {
    const auto allows = [&](TokenId token) {
      return token == end_ ? ends : all_allow(rules_, so_far_, token);
    };
    normalizer = scores.top(settings_.beam_size, allows, candidates_);
  }
  if (!phrases_.empty()) {
    if (!free) candidates_.clear();  // the remaining length is reserved for the phrases
    const auto& progress = progress_of(place);
    for (const TokenId token : demands_.required->next_tokens(progress, so_far_)) {
      const auto same = [&](const Candidate& candidate) { return candidate.token == token; };
      if (std::ranges::any_of(candidates_, same) || !all_allow(rules_, so_far_, token)) continue;
      candidates_.push_back({token, static_cast<double>(scores[token]) - normalizer});
    }
  }
  for (const Candidate& candidate : candidates_) add(place, candidate.token, candidate.log_probability);
}

bool Beam::may_end(int place) const {
  return length_ >= settings_.min_length && (phrases_.empty() || progress_of(place).missing == 0);
}

void Beam::add(int place, TokenId token, double log_probability) {
  Continuation next{live_[index(place)].log_probability + log_probability, token, place, Cut::none};
  if (!phrases_.empty()) {
    next.phrases = phrases_[index(place)];
    if (token != end_) {
      so_far_.push_back(token);
      next.phrases = phrase_scoring_->advance(
          next.phrases, {trace_, live_[index(place)].node, place, so_far_, next.log_probability});
      so_far_.pop_back();
    }
    if (next.phrases.progress.needed > limit_ - length_ - 1) return;  // the phrases would no longer fit
  }
  continuations_.push_back(std::move(next));
}

void Beam::end_here(int place, const RowScores& scores) {
  const double normalizer = scores.top(1, candidates_);
  const Cut cut = length_ < limit_                    ? Cut::by_rules
                  : candidates_.front().token != end_ ? Cut::by_length
                                                      : Cut::none;
  Continuation end{live_[index(place)].log_probability + (static_cast<double>(scores[end_]) - normalizer),
                   end_, place, cut};
  if (!phrases_.empty()) end.phrases = phrases_[index(place)];
  continuations_.push_back(std::move(end));
}

void Beam::keep_most_probable() {
  const auto kept = std::min(continuations_.size(), width_);
  std::partial_sort(continuations_.begin(), continuations_.begin() + static_cast<std::ptrdiff_t>(kept),
                    continuations_.end(), more_probable);
  continuations_.resize(kept);
}

void Beam::keep_most_probable_of_each_stage() {
  std::sort(continuations_.begin(), continuations_.end(), more_probable);
  std::map<std::pair<int, std::vector<bool>>, int> seen;  // in each group
  for (Continuation& next : continuations_) {
    const RequiredPhrases::Progress& progress = next.phrases.progress;
    next.turn = seen[{progress.needed, progress.met}]++;
  }
  std::stable_sort(
      continuations_.begin(), continuations_.end(), [](const Continuation& a, const Continuation& b) {
        return std::pair(a.turn, a.phrases.progress.needed) < std::pair(b.turn, b.phrases.progress.needed);
      });
  continuations_.resize(std::min(continuations_.size(), width_));
}

bool Beam::out_of_patience() const {
  return settings_.patience > 0 && count_ended_ >= settings_.patience * settings_.beam_size;
}

bool Beam::may_win(const Continuation& next) const {
  const double log_probability = next.log_probability - forced_;
  return ended_.admits(phrase_scoring_ == nullptr
                           ? length_normalized(settings_, log_probability, limit_ + 1)
                           : phrase_scoring_->best_score(log_probability, next.phrases, limit_));
}

double Beam::score(const Continuation& next) const {
  const double log_probability = next.log_probability - forced_;
  return phrase_scoring_ == nullptr ? length_normalized(settings_, log_probability, length_)
                                    : phrase_scoring_->score(log_probability, next.phrases.costs, length_);
}

}  // namespace gloss

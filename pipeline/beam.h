#pragma once

#include "pipeline/candidates.h"
#include "pipeline/ended.h"
#include "pipeline/row_search.h"

namespace gloss {

/// Beam search: hypotheses that go on, all of the same length, and the best of those that ended.
///
/// A step keeps the `beam_size` most probable of all continuations that the rules allow; equal ones by lower
/// token, then by lower place in the beam. Those with the end token leave; at the length limit all end. A
/// hypothesis goes on only as long as it could still become one of the `n_best`: its log-probability can only
/// fall, so the best it can reach is what it has now at the greatest length, fully covered. This gives
/// exactly what searching to the limit would give.
///
/// With `patience` (Kasai et al. 2022) the search also ends when so many hypotheses have ended, which may
/// miss better ones.
///
/// Required phrases: the beam is wider by `beam_size` for each. Continuations that bring one nearer are
/// always considered, and the places of the beam are dealt out in turn to hypotheses that have the same
/// phrases and are equally far with the others (after dynamic beam allocation, Post and Vilar 2018), so that
/// each phrase is there where it fits best. None ends before all are there, and as much of the length is kept
/// free as they need.
class Beam : public RowSearch {
 public:
  explicit Beam(const RowStart&);

  std::span<const Live> live() const override { return live_; }
  void add_wish(ScoreWish&) const override;
  void advance(std::span<const RowScores> scores, std::span<const float> attention) override;
  std::vector<Hypothesis> hypotheses() const override { return ended_.hypotheses(trace_); }

 private:
  struct Continuation {
    double log_probability;
    TokenId token;
    int parent;
    Cut cut;
    RequiredPhrases::Progress progress{};  // empty without required phrases
    int turn = 0;                          // its place among those as far with the phrases
  };
  static bool more_probable(const Continuation& a, const Continuation& b);
  /// Adds what may follow the live hypothesis at `place`.
  void continue_from(int place, const RowScores& scores);
  void add_candidates(int place, const RowScores& scores);
  void add(int place, TokenId token, double log_probability);
  /// Ends it where it is, whatever the network would do.
  void end_here(int place, const RowScores& scores);
  bool may_end(int place) const;
  void keep_most_probable();
  void keep_most_probable_of_each_stage();
  bool may_win(double log_probability) const;
  bool out_of_patience() const;

  SearchSettings settings_;
  TokenRules rules_;
  RowDemands demands_;
  TokenId end_;
  int limit_;
  std::size_t width_;
  int length_ = 0;
  int count_ended_ = 0;
  std::vector<Live> live_, next_;
  std::vector<RequiredPhrases::Progress> progress_,
      next_progress_;  // of the live ones, if phrases are required
  EndedHypotheses ended_;
  Trace trace_;
  std::vector<TokenId> so_far_;  // tokens of the hypothesis that is being continued, if rules ask for them
  std::vector<Candidate> candidates_;
  std::vector<Continuation> continuations_;
};

}  // namespace gloss

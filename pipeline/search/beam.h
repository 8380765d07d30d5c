// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <vector>

#include "base/index.h"
#include "pipeline/search/ended_hypotheses.h"
#include "pipeline/search/phrase_scoring.h"
#include "pipeline/search/row_scores.h"
#include "pipeline/search/row_search.h"

namespace gloss {

/// Beam search: holds the live hypotheses, all of the same length, and the best finished ones.
///
/// A step keeps the `beam_size` most probable of all continuations that the rules allow; ties are resolved by
/// lower token, then by lower place in the beam. Hypotheses with the end token leave the beam; at the length
/// limit all end. A hypothesis is dropped once it can no longer become one of the `n_best`: its
/// log-probability can only fall, so its best possible score is that of its present log-probability at the
/// maximum length with full coverage. The result is exactly that of searching to the limit.
///
/// With `patience` (Kasai et al. 2022) the search also stops after patience * `beam_size` finished
/// hypotheses, which may miss better ones.
///
/// Required phrases: each widens the beam by `beam_size`, and the beam has room for one hypothesis per number
/// of missing tokens. Continuations that advance a required phrase are always considered. Hypotheses with the
/// same completed phrases and the same number of missing tokens form a group, and the groups fill the beam in
/// turn (after dynamic beam allocation, Post and Vilar 2018), so that each phrase can appear where it fits
/// best, which PhraseScoring decides. No hypothesis ends before it has all phrases, and the search reserves
/// the length that the missing ones need.
class Beam : public RowSearch {
 public:
  explicit Beam(const RowStart&);

  std::span<const Live> live() const override { return live_; }
  void add_wish(ScoreWish&, int ahead) const override;
  void advance(std::span<const RowScores> scores, std::span<const float> attention) override;
  std::vector<Hypothesis> hypotheses() const override { return ended_.hypotheses(trace_); }

 private:
  struct Continuation {
    double log_probability;
    TokenId token;
    int parent;
    Cut cut;
    PhraseState phrases{};  // empty without required phrases
    int turn = 0;           // its rank in its group
  };
  static bool more_probable(const Continuation& a, const Continuation& b);
  /// Adds the continuations of the live hypothesis at `place`.
  void continue_from(int place, const RowScores& scores);
  void add_candidates(int place, const RowScores& scores);
  void add(int place, TokenId token, double log_probability);
  /// Ends the hypothesis with the end token, regardless of the network's scores.
  void end_here(int place, const RowScores& scores);
  bool may_end(int place) const;
  void keep_most_probable();
  void keep_most_probable_of_each_stage();
  bool may_win(const Continuation&) const;
  /// The score of a hypothesis that ends with `Continuation`, without the coverage penalty.
  double score(const Continuation&) const;
  const RequiredPhrases::Progress& progress_of(int place) const { return phrases_[index(place)].progress; }
  bool out_of_patience() const;

  SearchSettings settings_;
  TokenRules rules_;
  RowDemands demands_;
  TokenId end_;
  int limit_;
  std::size_t width_;
  int length_ = 0;
  double forced_ = 0;  // log-probability of the forced tokens
  int count_ended_ = 0;
  std::vector<Live> live_, next_;
  std::unique_ptr<const PhraseScoring> phrase_scoring_;  // null if no phrases are required
  std::vector<PhraseState> phrases_, next_phrases_;      // of the live hypotheses, if phrases are required
  EndedHypotheses ended_;
  Trace trace_;
  std::vector<TokenId> so_far_;  // tokens of the hypothesis being continued, if rules or phrases need them
  std::vector<Candidate> candidates_;
  std::vector<Continuation> continuations_;
};

}  // namespace gloss

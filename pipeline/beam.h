#pragma once

#include <span>
#include <vector>

#include "pipeline/candidates.h"
#include "pipeline/search_settings.h"

namespace gloss {

/// What a search found.
struct Hypothesis {
  std::vector<TokenId> tokens;  ///< without begin and end
  double log_probability = 0;   ///< of all tokens and the end
  double score = 0;             ///< log_probability under the length penalty: higher is better
  bool cut = false;             ///< the length limit ended it where the network would have gone on
};

/// The search for the translations of one source row: hypotheses that go on, all of the same length, and the
/// best of those that ended.
///
/// A step keeps the `beam_size` most probable of all continuations; equal ones by lower token, then by lower
/// place in the beam. Those with the end token leave; at the length limit all end. A hypothesis goes on only
/// as long as it could still become one of the `n_best`: its log-probability can only fall, so the best it
/// can reach is what it has now at the greatest length. This gives exactly what searching to the limit would
/// give.
class Beam {
 public:
  /// `end` is the end token; `source_length` is counted without it.
  Beam(const SearchSettings& settings, int source_length, TokenId end);

  /// A hypothesis that goes on.
  struct Live {
    int parent;     ///< place in the beam of what it continues
    TokenId token;  ///< its latest
    int node;       ///< of the trace
    double log_probability;
  };
  /// The hypotheses that go on, the most probable first; none once the search has ended.
  std::span<const Live> live() const { return live_; }
  bool ended() const { return live_.empty(); }

  /// Moves on by a token, given a row of scores for each live hypothesis, one behind the other.
  void advance(std::span<const float> scores);

  /// The best that ended: at most `n_best`, the best first, equal ones by the step they ended in.
  std::vector<Hypothesis> hypotheses() const;

 private:
  struct Continuation {
    double log_probability;
    TokenId token;
    int parent;
    bool cut;
  };
  struct Ended {
    int node;
    double log_probability, score;
    bool cut;
  };
  struct Node {
    int parent;
    TokenId token;
  };
  static constexpr int kRoot = -1;

  void continue_from(int place, std::span<const float> scores);
  void keep_most_probable();
  void finish(const Continuation&);
  bool may_win(double log_probability) const;
  std::vector<TokenId> tokens_to(int node) const;

  SearchSettings settings_;
  TokenId end_;
  int limit_;
  int length_ = 0;
  std::vector<Live> live_, next_;
  std::vector<Ended> ended_;  // best first
  std::vector<Node> trace_;   // every token that was ever live, with what it continued
  std::vector<Candidate> candidates_;
  std::vector<Continuation> continuations_;
};

}  // namespace gloss

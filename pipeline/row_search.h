#pragma once

#include <span>
#include <vector>

#include "pipeline/candidates.h"
#include "pipeline/hypothesis.h"
#include "pipeline/search_rows.h"
#include "pipeline/search_settings.h"
#include "pipeline/token_rules.h"

namespace gloss {

/// What the search of one row starts from.
struct RowStart {
  const SearchSettings& settings;
  const TokenRules& rules;
  RowDemands demands;
  int source_length;  ///< without the end token
  TokenId end;
};

/// The most tokens, without the end, that a translation of the row may have.
inline int length_limit(const RowStart& start) {
  if (start.demands.longest > 0) return start.demands.longest;
  return length_limit(start.settings, start.source_length, start.demands.tokens());
}

/// The search for the translations of one source row, a token at a time.
class RowSearch {
 public:
  virtual ~RowSearch() = default;

  /// A hypothesis that goes on.
  struct Live {
    int parent;     ///< its place among the live ones of the step before
    TokenId token;  ///< its latest
    int node;       ///< of the trace
    double log_probability;
  };
  /// The hypotheses that go on, all of one length; none once the search has ended.
  virtual std::span<const Live> live() const = 0;
  /// What it needs to know of the scores of the next tokens.
  virtual void add_wish(ScoreWish&) const = 0;
  /// Moves on by a token, given the scores for each live hypothesis and, if the settings need it, the
  /// attention to the source, a row for each, one behind the other.
  virtual void advance(std::span<const RowScores> scores, std::span<const float> attention) = 0;
  /// What was found: at least one, at most `n_best`, the best first.
  virtual std::vector<Hypothesis> hypotheses() const = 0;
};

}  // namespace gloss

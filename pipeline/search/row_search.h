// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <vector>

#include "pipeline/search/hypothesis.h"
#include "pipeline/search/row_demands.h"
#include "pipeline/search/row_scores.h"
#include "pipeline/search/search_settings.h"
#include "pipeline/search/token_rules.h"

namespace gloss {

/// The input of the search for the translations of one row.
struct RowStart {
  const SearchSettings& settings;
  const TokenRules& rules;
  RowDemands demands;
  int source_length;  ///< without the end token
  TokenId end;
};

/// The maximum length of the row's translation, in tokens without the end token.
inline int length_limit(const RowStart& start) {
  if (start.demands.longest > 0) return start.demands.longest;
  return length_limit(start.settings, start.source_length, start.demands.tokens());
}

/// The search for the translations of one source row, which advances by one token per step.
class RowSearch {
 public:
  virtual ~RowSearch() = default;

  /// An unfinished hypothesis.
  struct Live {
    int parent;     ///< index of the live hypothesis of the previous step that it continues
    TokenId token;  ///< its latest token
    int node;       ///< its node in the Trace
    double log_probability;
  };
  /// The unfinished hypotheses, all of one length; none once the search has ended.
  virtual std::span<const Live> live() const = 0;
  /// Adds the scores that the step after the next `ahead` steps needs.
  virtual void add_wish(ScoreWish&, int ahead) const = 0;
  /// Advances by one token. `scores` has an entry for each live hypothesis; `attention`, if the settings need
  /// it, is [live hypotheses, source tokens with the end token].
  virtual void advance(std::span<const RowScores> scores, std::span<const float> attention) = 0;
  /// The finished hypotheses: at least one, at most `n_best`, the best first.
  virtual std::vector<Hypothesis> hypotheses() const = 0;
};

}  // namespace gloss

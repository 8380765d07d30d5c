// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "base/index.h"
#include "pipeline/search/search_settings.h"
#include "pipeline/search/trace.h"

namespace gloss {

/// The best finished hypotheses of a row, ordered by the number of missing required phrases, then by score;
/// ties keep the order of insertion.
class EndedHypotheses {
 public:
  EndedHypotheses(const SearchSettings& settings, int most) : settings_(settings), most_(index(most)) {}

  /// `score` is without the coverage penalty.
  void add(const Trace&, const Trace::End&, double score, Cut cut, int missing);
  /// True if a hypothesis with that score and no missing phrases would be kept.
  bool admits(double score) const {
    return ended_.size() < most_ || ended_.back().missing > 0 || score > ended_.back().score;
  }
  bool empty() const { return ended_.empty(); }
  std::vector<Hypothesis> hypotheses(const Trace&) const;

 private:
  struct Ended {
    Trace::End end;
    double score;
    Cut cut;
    int missing;
  };

  SearchSettings settings_;
  std::size_t most_;
  std::vector<Ended> ended_;
};

}  // namespace gloss

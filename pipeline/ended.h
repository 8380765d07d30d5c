#pragma once

#include <vector>

#include "pipeline/search_settings.h"
#include "pipeline/trace.h"

namespace gloss {

/// The best hypotheses of a row that have ended: those that miss no required phrase first, then by score;
/// equal ones as they came.
class EndedHypotheses {
 public:
  EndedHypotheses(const SearchSettings& settings, int most)
      : settings_(settings), most_(static_cast<std::size_t>(most)) {}

  /// `length` counts the end.
  void add(const Trace&, const Trace::End&, int length, Cut cut, int missing);
  /// True if a hypothesis of that score would be kept.
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

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/ended_hypotheses.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace gloss {
namespace {

/// The coverage penalty (Wu et al. 2016): the sum of log(min(attention, 1)) over source tokens without the
/// end token.
double coverage(const std::vector<double>& attention_sums) {
  constexpr double kLeast = 1e-10;  // an attention of 0 would make the penalty infinite
  double sum = 0;
  for (std::size_t i = 0; i + 1 < attention_sums.size(); ++i) {
    sum += std::log(std::clamp(attention_sums[i], kLeast, 1.0));
  }
  return sum;
}

}  // namespace

void EndedHypotheses::add(const Trace& trace, const Trace::End& end, double score, Cut cut, int missing) {
  if (settings_.coverage_penalty > 0) {
    score += settings_.coverage_penalty * coverage(trace.attention_sums(end));
  }
  const auto place = std::ranges::upper_bound(ended_, std::pair(missing, -score), {}, [](const Ended& other) {
    return std::pair(other.missing, -other.score);
  });
  ended_.insert(place, {end, score, cut, missing});
  if (ended_.size() > most_) ended_.pop_back();
}

std::vector<Hypothesis> EndedHypotheses::hypotheses(const Trace& trace) const {
  std::vector<Hypothesis> results;
  for (const Ended& ended : ended_) {
    Hypothesis hypothesis = trace.hypothesis(ended.end);
    hypothesis.score = ended.score;
    if (settings_.keep_attention) hypothesis.attention = trace.attention_to(ended.end);
    hypothesis.cut = ended.cut;
    hypothesis.missing = ended.missing;
    results.push_back(std::move(hypothesis));
  }
  return results;
}

}  // namespace gloss

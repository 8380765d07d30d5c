// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "pipeline/metrics/evaluation.h"

namespace gloss {

/// The metric's score of as many hypotheses as have references.
inline double corpus_score(const Metric& metric, std::vector<std::string> hypotheses,
                           const References& references) {
  hypotheses.resize(std::min(hypotheses.size(), references.size()));
  Figures figures(hypotheses.size(), metric.figures());
  const auto comparer = metric.comparer();
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    comparer->set_references(references[i]);
    comparer->compare(hypotheses[i], figures.row(i));
  }
  return metric.score(figures.sums());
}

}  // namespace gloss

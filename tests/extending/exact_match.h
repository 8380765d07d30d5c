// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/metrics/metric.h"

namespace gloss {

/// An example of a metric: the percentage of hypotheses that equal one of their references. Figures: 1 if the
/// hypothesis does, else 0; and the number of segments, 1.
class ExactMatch : public Metric {
 public:
  std::string name() const override { return "EM"; }
  SignatureFields signature() const override { return {}; }
  std::size_t figures() const override { return 2; }
  std::unique_ptr<Comparer> comparer() const override;
  double score(std::span<const double> sums) const override;
  double sample_score(std::span<const float> sums) const override;
};

}  // namespace gloss

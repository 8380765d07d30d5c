// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/index.h"
#include "pipeline/metrics/metric.h"

namespace gloss {

/// How chrF is computed; the defaults are sacreBLEU's. A word_order of 2 gives chrF++.
struct ChrfSettings {
  int char_order = 6;       ///< longest n-gram of characters
  int word_order = 0;       ///< longest n-gram of words
  int beta = 2;             ///< weight of recall relative to precision
  bool whitespace = false;  ///< include white space in character n-grams
  bool lowercase = false;   ///< ignore case
  bool eps_smoothing =
      false;  ///< average the F-scores of all orders, not the precisions and recalls of those present
};

/// chrF (Popović 2015) and chrF++ (Popović 2017): the F-score of character and word n-grams. Figures for each
/// order: n-grams of the hypothesis, of the reference, of both. Of several references, the one with the best
/// F-score is used.
class Chrf : public Metric {
 public:
  explicit Chrf(const ChrfSettings& settings);
  std::string name() const override;
  SignatureFields signature() const override;
  std::size_t figures() const override { return 3 * index(settings_.char_order + settings_.word_order); }
  std::unique_ptr<Comparer> comparer() const override;
  std::unique_ptr<MeanComparer> mean_comparer() const override;
  double score(std::span<const double> sums) const override;
  double sample_score(std::span<const float> sums) const override;

 private:
  ChrfSettings settings_;
};

}  // namespace gloss

#pragma once

#include <memory>
#include <span>
#include <string>

#include "pipeline/metrics/metric.h"

namespace gloss {

/// How chrF is computed; the defaults are sacreBLEU's. With 2 words it is chrF++.
struct ChrfSettings {
  int char_order = 6;       ///< longest n-gram of characters
  int word_order = 0;       ///< longest n-gram of words
  int beta = 2;             ///< how many times more recall weighs than precision
  bool whitespace = false;  ///< white space counts as characters
  bool lowercase = false;   ///< upper case counts as lower case
  bool eps_smoothing =
      false;  ///< mean of all orders' F-scores instead of F-score of the mean over those present
};

/// chrF (Popović 2015) and chrF++ (Popović 2017): the F-score of n-grams of characters and words. Its figures
/// per order: n-grams of the hypothesis, of the reference, in both; of several references that with the best
/// F-score counts.
class Chrf : public Metric {
 public:
  explicit Chrf(const ChrfSettings& settings);
  std::string name() const override;
  SignatureFields signature() const override;
  std::size_t figures() const override {
    return 3 * static_cast<std::size_t>(settings_.char_order + settings_.word_order);
  }
  std::unique_ptr<Comparer> comparer() const override;
  double score(std::span<const double> sums) const override;
  double sample_score(std::span<const float> sums) const override;
  bool single_precision() const override { return true; }

 private:
  ChrfSettings settings_;
};

}  // namespace gloss

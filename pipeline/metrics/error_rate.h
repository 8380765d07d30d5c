// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <span>
#include <string>

#include "pipeline/metrics/metric.h"

namespace gloss {

/// What an error rate counts.
enum class ErrorUnit { words, characters };

/// Word or character error rate of recognised text: the least number of substitutions, deletions and
/// insertions that turn the reference into the hypothesis (Levenshtein 1966), per word or character of the
/// reference. Words are separated by white space; characters are code points, spaces between words included.
/// Figures: substitutions, deletions, insertions, and the length of the reference. Of several references, the
/// one with the lowest rate is used.
class ErrorRate : public Metric {
 public:
  explicit ErrorRate(ErrorUnit unit) : unit_(unit) {}
  std::string name() const override { return unit_ == ErrorUnit::words ? "WER" : "CER"; }
  SignatureFields signature() const override;
  std::size_t figures() const override { return 4; }
  std::unique_ptr<Comparer> comparer() const override;
  double score(std::span<const double> sums) const override;
  std::string details(std::span<const double> sums) const override;
  double sample_score(std::span<const float> sums) const override;
  bool lower_is_better() const override { return true; }

 private:
  ErrorUnit unit_;
};

}  // namespace gloss

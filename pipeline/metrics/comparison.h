// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "pipeline/metrics/evaluation.h"

namespace gloss {

/// Reference words within a range of frequencies, and how well each system translates them.
struct FrequencyBucket {
  std::string name;  ///< "5-9"
  std::size_t words = 0;
  std::vector<double> f_scores;  ///< by system, 0 .. 100: harmonic mean of precision and recall
};

/// An n-gram of the references, and how often the baseline and a system match it.
struct NgramDifference {
  std::string text;
  std::size_t baseline = 0, system = 0;
};

/// N-grams that a system matches more often than the baseline (`gained`) or less often (`lost`), the most
/// significant ones first.
struct NgramDifferences {
  std::vector<NgramDifference> gained, lost;
};

/// A detailed comparison of systems.
struct Comparison {
  std::vector<FrequencyBucket> frequencies;
  std::vector<NgramDifferences> ngrams;                           ///< by system, without the baseline
  std::vector<std::vector<std::vector<double>>> sentence_scores;  ///< by metric, system, segment
};

/// Compares the systems of an evaluated test set. `sentence_metrics` are the metrics of the evaluation with
/// their settings for single sentences. Words are those of BLEU's tokenizer.
Comparison compare_systems(const TestSet&, std::span<const std::unique_ptr<Metric>> sentence_metrics,
                           const Evaluation&, const BleuSettings&);

}  // namespace gloss

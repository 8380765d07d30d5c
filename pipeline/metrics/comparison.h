#pragma once

#include <string>
#include <vector>

#include "pipeline/metrics/evaluation.h"

namespace gloss {

/// Reference words that occur so many times in all references, and how well each system gets them.
struct FrequencyBucket {
  std::string name;  ///< "5-9"
  std::size_t words = 0;
  std::vector<double> f_scores;  ///< by system, 0 .. 100: harmonic mean of precision and recall
};

/// An n-gram of the references, and how often two systems have it where they should.
struct NgramDifference {
  std::string text;
  std::size_t baseline = 0, system = 0;
};

/// What one system gets and the baseline misses, and the other way round; most telling first.
struct NgramDifferences {
  std::vector<NgramDifference> gained, lost;
};

/// What is to be seen when systems are compared more closely than by one number each.
struct Comparison {
  std::vector<FrequencyBucket> frequencies;
  std::vector<NgramDifferences> ngrams;                           ///< by system, without the first one
  std::vector<std::vector<std::vector<double>>> sentence_scores;  ///< by metric, system, segment
};

/// Looks at a test set that was evaluated; `sentence_metrics` are the same metrics as they score single
/// sentences. Words are those of BLEU's tokenizer.
Comparison compare_systems(const TestSet&, std::span<const std::unique_ptr<Metric>> sentence_metrics,
                           const Evaluation&, const BleuSettings&);

}  // namespace gloss

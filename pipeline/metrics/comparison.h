#pragma once

#include <string>
#include <vector>

#include "pipeline/metrics/evaluation.h"

namespace gloss {

/// Segments whose reference has so many words, and each metric's score of each system on them.
struct LengthBucket {
  std::string name;  ///< "10-19"
  std::size_t segments = 0;
  std::vector<std::vector<double>> scores;  ///< by metric, then by system
};

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
  std::vector<LengthBucket> lengths;
  std::vector<FrequencyBucket> frequencies;
  std::vector<NgramDifferences> ngrams;                           ///< by system, without the first one
  std::vector<std::vector<std::vector<double>>> sentence_scores;  ///< by metric, system, segment
  std::vector<std::size_t> lengths_of_segments;                   ///< words of the first reference
};

/// Looks at a test set that was evaluated by `metrics`, which score single sentences where that differs.
/// Words are those of BLEU's tokenizer.
Comparison compare_systems(const TestSet&, std::span<const std::unique_ptr<Metric>> metrics,
                           std::span<const std::unique_ptr<Metric>> sentence_metrics, const Evaluation&,
                           const BleuSettings&);

}  // namespace gloss

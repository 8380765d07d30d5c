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

/// How scores depend on the length of sentences.
struct LengthScores {
  std::vector<std::size_t> of_segments;  ///< words of each segment's first reference
  std::vector<LengthBucket> buckets;     ///< short ones first, none empty
};

/// Divides the segments of a test set that was evaluated by `metrics` by the words of their first references,
/// as BLEU's tokenizer finds them: into `groups` of about as many segments each (those of one length stay
/// together, so that there may be fewer groups), or, if that is 0, into 0-9, 10-19 and so on words.
LengthScores scores_by_length(const TestSet&, std::span<const std::unique_ptr<Metric>> metrics,
                              const Evaluation&, const BleuSettings&, int groups);

}  // namespace gloss

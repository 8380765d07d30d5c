// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "pipeline/metrics/evaluation.h"

namespace gloss {

/// Segments within a range of reference lengths, and the scores of each system on them.
struct LengthBucket {
  std::string name;  ///< "10-19"
  std::size_t segments = 0;
  std::vector<std::vector<double>> scores;  ///< by metric, then by system
};

/// Scores by sentence length.
struct LengthScores {
  std::vector<std::size_t> of_segments;  ///< number of words in the first reference, by segment
  std::vector<LengthBucket> buckets;     ///< by ascending length, none empty
};

/// Groups the segments of a test set by the number of words in their first reference (by BLEU's tokenizer)
/// and scores each group with `metrics`. Forms `groups` groups of about equal size; segments of equal length
/// stay together, so there may be fewer groups. If `groups` is 0, the groups are 0-9, 10-19, ... words.
LengthScores scores_by_length(const TestSet&, std::span<const std::unique_ptr<Metric>> metrics,
                              const Evaluation&, const BleuSettings&, int groups);

}  // namespace gloss

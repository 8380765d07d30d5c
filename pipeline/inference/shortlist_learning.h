// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/data/parallel_text.h"
#include "pipeline/inference/shortlist.h"
#include "pipeline/inference/text_model.h"

namespace gloss {

/// Settings for learning a shortlist.
struct ShortlistLearning {
  int best = 100;                       ///< number of translations kept for each source piece
  std::int64_t sample_pairs = 500'000;  ///< number of pairs to learn from, spread evenly over the text
  int iterations = 5;
};
Fields fields_of(ShortlistLearning&);

/// Learns from parallel text how pieces are translated (LexicalTable). Lines are tokenised as the model does.
/// The result does not depend on the number of threads. Throws InputError if the text has no usable pair.
Shortlist learn_shortlist(const IndexedPairs&, const TextModel&, const ShortlistLearning&, int threads,
                          Listener&);

}  // namespace gloss

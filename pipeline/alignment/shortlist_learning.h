// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "pipeline/alignment/shortlist.h"
#include "pipeline/examples/tokenizer_pair.h"
#include "pipeline/reading/parallel_text.h"

namespace gloss {

/// Settings for learning a shortlist.
struct ShortlistLearning {
  int best = 100;                       ///< number of translations kept for each source piece
  std::int64_t sample_pairs = 500'000;  ///< number of pairs to learn from, spread evenly over the text
  int iterations = 5;
};
Fields fields_of(ShortlistLearning&);

/// Learns from parallel text how pieces are translated (LexicalTable), for the model with these tokenizers
/// and this normalisation. The result does not depend on the number of threads. Throws InputError if the text
/// has no usable pair.
Shortlist learn_shortlist(const IndexedPairs&, const Tokenizers&, Normalization, const ShortlistLearning&,
                          int threads, Listener&);

}  // namespace gloss

#pragma once

#include "pipeline/parallel_text.h"
#include "pipeline/shortlist.h"
#include "pipeline/text_model.h"

namespace gloss {

/// How a shortlist is learned.
struct ShortlistLearning {
  int best = 100;                       ///< translations kept for each source piece
  std::int64_t sample_pairs = 500'000;  ///< pairs learned from, spread evenly over the text
  int iterations = 5;
};
Fields fields_of(ShortlistLearning&);

/// Learns from parallel text which pieces translate which (LexicalTable), cutting lines into pieces as the
/// model does. The same text and settings give the same shortlist on any number of threads. Throws InputError
/// if the text has no pair to learn from.
Shortlist learn_shortlist(const IndexedPairs&, const TextModel&, const ShortlistLearning&, int threads,
                          Listener&);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/listener.h"
#include "pipeline/alignment/generation_model.h"
#include "pipeline/alignment/jump_positions.h"
#include "pipeline/alignment/symmetrisation.h"

namespace gloss {

/// Learns from pairs of lines which of their words translate each other, without a network: IBM Model 1 for
/// each direction, then hidden Markov models of both directions that are to agree.
class StatisticalAligner {
 public:
  /// Sizes of the vocabularies, and the number of iterations of each model.
  struct Settings {
    int source_vocabulary = 0, target_vocabulary = 0, iterations = 5;
  };

  /// Learns. The pairs must outlive the aligner. The result does not depend on the number of threads.
  StatisticalAligner(const TokenPairs& pairs, const Settings&, int threads, Listener&);

  /// The links of one of the pairs; none if a side has no words. Thread-safe.
  std::vector<WordLink> links(std::int64_t pair, Symmetrisation);

 private:
  StatisticalAligner(const TokenPairs& pairs, const Settings&, int threads, const PairsDone&);

  const TokenPairs& pairs_;
  LexicalTable forward_, reverse_;  // targets from sources, and sources from targets
  JumpPositions forward_jumps_, reverse_jumps_;
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/sentence_alignment/bead_search.h"

namespace gloss {

/// The lengths of the sentences of both sides in characters.
struct SentenceLengths {
  std::vector<std::int64_t> source, target;
};

/// A translation is about as long as its source, times a factor, and beads of some shapes are more frequent
/// than others (Gale and Church 1993).
class LengthEvidence : public BeadEvidence {
 public:
  explicit LengthEvidence(const SentenceLengths&);
  /// Takes the factor from the beads with sentences on both sides.
  void learn(const Beads&);
  void add_to(const GainRow&) const override;
  /// The log-odds of the lengths of both sides of a bead.
  double gain(const Bead&) const;

 private:
  void set_factor(std::int64_t source, std::int64_t target);

  std::vector<std::int64_t> source_, target_;  // characters before each sentence, and of all
  double factor_ = 1;                          // target characters for a source character
};

}  // namespace gloss

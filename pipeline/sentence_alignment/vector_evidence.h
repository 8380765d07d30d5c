// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "pipeline/sentence_alignment/bead_search.h"
#include "pipeline/sentence_alignment/sentence_vectors.h"

namespace gloss {

/// The vectors of translations are more similar than those of other sentences: the distance of both sides of
/// a bead is compared with their mean distance from all sentences of the other side (Thompson and Koehn
/// 2019). The vector of several sentences is the sum of theirs.
class VectorEvidence : public BeadEvidence {
 public:
  /// The vectors must outlive this object.
  explicit VectorEvidence(const SentenceVectors&);
  void add_to(const GainRow&) const override;

 private:
  /// Products of the vectors of a side with themselves and with the mean direction of the other side.
  struct Side {
    std::vector<float> with_next;  ///< [sentence, kLongestSide]: with the sentence itself and the next ones
    std::vector<float> with_mean;  ///< of each sentence
  };
  static Side side_of(const SideVectors&, const SideVectors& other);

  const SentenceVectors& vectors_;
  Side source_, target_;
};

}  // namespace gloss

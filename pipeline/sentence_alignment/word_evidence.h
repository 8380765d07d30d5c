// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "pipeline/sentence_alignment/bead_search.h"
#include "pipeline/sentence_alignment/document_words.h"
#include "pipeline/sentence_alignment/sentence_vectors.h"
#include "pipeline/sentence_alignment/word_translations.h"

namespace gloss {

/// The words of a sentence are translations of those of its source: with some probability, each is drawn from
/// the translations of a word of the other side, otherwise as words of any sentence are (Moore 2002). At
/// first, words that are spelled alike translate each other; further translations are learned from beads.
class WordEvidence : public BeadEvidence {
 public:
  /// The words must outlive this object.
  WordEvidence(const DocumentWords&, int threads);
  /// Learns translations from the beads with sentences on both sides.
  void learn(const Beads&, int threads);
  void add_to(const GainRow&) const override;
  /// Random projections of the words of sentences, those of the source translated: their products grow with
  /// the number of words that translate each other, rare ones above all. Refers to this object.
  BlockVectors vectors(int threads) const;

 private:
  class Beginnings;

  const DocumentWords& words_;
  std::vector<float> source_shares_, target_shares_;  // of each word in all words of its side
  WordTranslations forward_spelling_, reverse_spelling_;
  WordTranslations forward_, reverse_;  // targets of sources, and sources of targets
};

}  // namespace gloss

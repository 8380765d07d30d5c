// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/index.h"
#include "pipeline/sentence_alignment/bead.h"

namespace gloss {

/// The gains of all beads that begin with the same source sentence.
struct GainRow {
  std::int64_t source = 0;  ///< the first source sentence of the beads
  SentenceRange columns;    ///< the first target sentences of the beads
  std::span<float> gains;   ///< [columns, shapes]

  float& at(std::int64_t target, std::size_t shape) const {
    return gains[index(target - columns.first) * kBeadShapes.size() + shape];
  }
};

/// A kind of evidence that sentences translate each other.
class BeadEvidence {
 public:
  virtual ~BeadEvidence() = default;
  /// Adds its log-odds, in nats, to the gains of all beads that do not pass the end of the text. Thread-safe.
  virtual void add_to(const GainRow&) const = 0;
};
using Evidence = std::vector<const BeadEvidence*>;

/// The cells that a search visits. A cell is the number of source sentences before a bead and the number of
/// target sentences.
struct SearchBand {
  std::int64_t first = 0;           ///< the number of source sentences of the first row
  std::vector<SentenceRange> rows;  ///< the numbers of target sentences of each row

  std::int64_t last() const { return first + std::ssize(rows) - 1; }
  const SentenceRange& row(std::int64_t source) const { return rows[index(source - first)]; }
};

/// All cells of a paragraph.
SearchBand whole_band(const Paragraph&);

/// The beads with the highest sum of gains that cover a paragraph in order, by dynamic programming (Gale and
/// Church 1993). The first cell of the band is the start of the paragraph, its last cell the end. Time and
/// memory grow with the number of cells. The result does not depend on the number of threads.
Beads best_beads(const SearchBand&, const Evidence&, int threads);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/listener.h"
#include "pipeline/sentence_alignment/bead.h"
#include "pipeline/sentence_alignment/bead_search.h"
#include "pipeline/sentence_alignment/sentence_vectors.h"

namespace gloss {

/// The sentences of one side of a document in valid UTF-8, without empty lines.
struct DocumentSide {
  std::vector<std::string> sentences;
  std::vector<std::int64_t> lines;                ///< of the sentences in their file, counted from 0
  std::vector<std::int64_t> paragraph_starts{0};  ///< the first sentence of each paragraph

  /// The sentences of a paragraph.
  SentenceRange paragraph(std::size_t number) const;
};

/// A document and its translation, with as many paragraphs.
struct ParallelDocument {
  DocumentSide source, target;
  /// A translation of each source sentence, whose words are compared with the target in place of the
  /// source's; empty: none.
  std::vector<std::string> translated{};
  SentenceVectors vectors{};  ///< embeddings of the sentences of both sides; empty: none
};

/// Whether sentences are aligned by their words, too, or only by their lengths.
enum class SentenceWords { compared, ignored };

/// The beads of a document in order: the best ones given lengths, words and vectors (Gale and Church 1993,
/// Varga et al. 2005, Sennrich and Volk 2010, Thompson and Koehn 2019). Each paragraph has its own.
/// Translations of words are learned from the beads of an earlier pass. Time and memory grow linearly with
/// the sentences. The result does not depend on the number of threads.
Beads align_sentences(const ParallelDocument&, SentenceWords, int threads, Listener&);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/sentence_alignment/sentence_aligner.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/index.h"
#include "base/threads.h"
#include "pipeline/sentence_alignment/coarse_band.h"
#include "pipeline/sentence_alignment/document_words.h"
#include "pipeline/sentence_alignment/length_evidence.h"
#include "pipeline/sentence_alignment/vector_evidence.h"
#include "pipeline/sentence_alignment/word_evidence.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

std::vector<std::int64_t> lengths_of(const std::vector<std::string>& sentences) {
  std::vector<std::int64_t> lengths;
  for (const std::string& sentence : sentences) {
    lengths.push_back(count_characters(sentence));
  }
  return lengths;
}

/// Searches all paragraphs.
class DocumentSearch {
 public:
  DocumentSearch(const ParallelDocument& document, const SentenceLengths& lengths, int threads)
      : document_(document), lengths_(lengths), threads_(threads) {}

  /// `vectors` lead the search through long paragraphs.
  Beads search(const Evidence& evidence, const BlockVectors& vectors) const {
    const std::size_t count = document_.source.paragraph_starts.size();
    std::vector<Beads> beads(count);
    const int inner = count > 1 ? 1 : threads_;
    for_each_item(threads_, static_cast<std::int64_t>(count), [&](std::int64_t number) {
      const Paragraph paragraph{document_.source.paragraph(index(number)),
                                document_.target.paragraph(index(number))};
      beads[index(number)] = best_beads(coarse_band(paragraph, vectors, lengths_, inner), evidence, inner);
    });
    Beads all;
    for (const Beads& part : beads) all.insert(all.end(), part.begin(), part.end());
    return all;
  }

 private:
  const ParallelDocument& document_;
  const SentenceLengths& lengths_;
  int threads_;
};

}  // namespace

SentenceRange DocumentSide::paragraph(std::size_t number) const {
  const bool last = number + 1 == paragraph_starts.size();
  return {paragraph_starts[number], last ? std::ssize(sentences) : paragraph_starts[number + 1]};
}

Beads align_sentences(const ParallelDocument& document, SentenceWords use, int threads, Listener& listener) {
  constexpr int kPasses = 4;
  const SentenceLengths lengths{lengths_of(document.source.sentences), lengths_of(document.target.sentences)};
  LengthEvidence by_length(lengths);
  Evidence evidence{&by_length};
  std::optional<VectorEvidence> by_vectors;
  if (document.vectors.source.width() > 0) evidence.push_back(&by_vectors.emplace(document.vectors));
  const DocumentWords words{
      words_of(document.translated.empty() ? document.source.sentences : document.translated),
      words_of(document.target.sentences)};
  WordEvidence by_words(words, threads);
  if (use == SentenceWords::compared) evidence.push_back(&by_words);
  const DocumentSearch search(document, lengths, threads);
  Beads beads;
  for (int pass = 0; pass < kPasses; ++pass) {
    listener.progress({.done = pass, .total = kPasses, .unit = "passes", .details = ""});
    if (pass > 0) {
      by_length.learn(beads);
      by_words.learn(beads, threads);
    }
    beads = search.search(evidence, by_vectors ? block_vectors(document.vectors) : by_words.vectors(threads));
  }
  return beads;
}

}  // namespace gloss

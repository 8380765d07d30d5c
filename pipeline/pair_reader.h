#pragma once

#include <memory>

#include "base/lines.h"
#include "pipeline/parallel_text.h"

namespace gloss {

/// Reads parallel text once, pair by pair, as it comes, or plain text as targets of empty sources; standard
/// input too. Training, which reads its text more than once, takes IndexedPairs.
class PairReader {
 public:
  /// Throws InputError if a file cannot be opened.
  explicit PairReader(const ParallelFiles&);

  /// The next pair; false at the end. Throws InputError if one file has more lines than the other, saying how
  /// many both have, or a line of a tsv file has not exactly one tab.
  bool next(SentencePair&);

 private:
  bool next_row(SentencePair&);

  bool plain_;
  std::unique_ptr<LineReader> source_, target_;  // no target_: a tsv file, or plain text
};

}  // namespace gloss

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/lines.h"

namespace gloss {

/// Where parallel text stands: two files whose lines belong together, or one with source TAB target.
/// Packed files (.gz, .zst) are unpacked on the way.
struct ParallelFiles {
  std::string source, target, tsv;
  bool empty() const { return source.empty() && target.empty() && tsv.empty(); }
  /// The names for messages.
  std::string text() const { return tsv.empty() ? source + ", " + target : tsv; }
};
/// The fields `source`, `target` and `tsv` with `prefix` before their names; `what` is the text's use.
Fields fields_of(ParallelFiles&, const std::string& prefix, const std::string& what);
/// Throws UsageError unless both files or the tsv file are given, and no standard input (training reads its
/// text more than once).
void check(const ParallelFiles&, const std::string& prefix);

/// A line and its translation.
struct SentencePair {
  std::string source, target;
};

/// Reads parallel text pair by pair.
class PairReader {
 public:
  /// Throws InputError if a file cannot be opened.
  explicit PairReader(const ParallelFiles&);

  /// The next pair; false at the end. Throws InputError if one file has more lines than the other, saying how
  /// many both have, or a line of a tsv file has not exactly one tab.
  bool next(SentencePair&);
  /// The number, counted from 1, of the last pair.
  std::int64_t line_number() const { return source_->line_number(); }

 private:
  bool next_row(SentencePair&);

  std::unique_ptr<LineReader> source_, target_;  // no target_: a tsv file
};

/// All pairs; for text that fits into memory.
std::vector<SentencePair> read_pairs(const ParallelFiles&);

}  // namespace gloss

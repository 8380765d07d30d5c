#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/listener.h"
#include "pipeline/indexed_lines.h"

namespace gloss {

/// Where text stands: two files whose lines belong together, one with source TAB target, one of plain text,
/// whose lines are sources without targets, or one with label TAB text (or label TAB text TAB text), whose
/// texts are sources and whose labels are targets. Packed files (.gz, .zst), pipes and "-" are unpacked into
/// a temporary file.
struct ParallelFiles {
  std::string source{}, target{}, tsv{};
  std::string line_weights{};  ///< a number for each pair; empty: 1
  std::string plain{};
  std::string language{};  ///< of plain text; empty: not said
  std::string labelled{};
  bool empty() const {
    return source.empty() && target.empty() && tsv.empty() && plain.empty() && labelled.empty();
  }
  /// The names for messages.
  std::string text() const {
    if (!plain.empty()) return plain;
    if (!labelled.empty()) return labelled;
    return tsv.empty() ? source + ", " + target : tsv;
  }
};
/// The fields `source`, `target` and `tsv` with `prefix` before their names; `what` is the text's use.
Fields fields_of(ParallelFiles&, const std::string& prefix, const std::string& what);
/// Throws UsageError unless both files or the tsv file are given.
void check(const ParallelFiles&, const std::string& prefix);
/// Throws InputError if one of the files cannot be opened, as far as that can be tried without taking from a
/// pipe.
void expect_readable(const ParallelFiles&);

/// A line, its translation and how much it counts.
struct PairView {
  std::string_view source, target;
  float weight = 1;
  std::string_view language{};  ///< of plain text
};

/// Pairs that were read together.
struct PairBlock {
  std::int64_t first_line = 1;  ///< counted from 1
  std::vector<PairView> pairs;  ///< into the lines behind
  LineBlock source, target, weights;
};

/// Parallel text of any size in blocks that can be read in any order, of which little is kept in memory.
class IndexedPairs {
 public:
  /// Reads the files once. Throws InputError if one has more lines than the other. `folder` takes temporary
  /// files.
  IndexedPairs(const ParallelFiles&, const std::string& folder, Listener& listener);

  /// The names for messages.
  std::string text() const { return files_.text(); }
  /// What of a pair is text: both sides, or the source if there are no targets, or the texts without their
  /// label.
  std::vector<std::string_view> texts_of(const PairView&) const;
  std::int64_t lines() const { return source_.lines(); }
  std::int64_t blocks() const { return source_.blocks(); }
  /// A hash of the whole content.
  std::uint64_t fingerprint() const;
  /// Throws InputError if a line has too few tabs or too many, a weight is no number from 0 to 1,000,000, or
  /// the files were changed. Safe to use from many threads.
  PairBlock read(std::int64_t block) const;

 private:
  void split_rows(PairBlock& block) const;
  void split_labels(PairBlock& block) const;
  void read_weights(PairBlock& block, std::int64_t number) const;

  ParallelFiles files_;
  IndexedLines source_;  // or the tsv file, or the one of plain text
  std::optional<IndexedLines> target_, weights_;
};

/// The parts of a line that stand between tabs.
std::vector<std::string_view> between_tabs(std::string_view line);

/// A line and its translation.
struct SentencePair {
  std::string source, target;
};
/// All pairs; for text that fits into memory.
std::vector<SentencePair> read_pairs(const IndexedPairs&);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "base/listener.h"
#include "base/nameless_file.h"
#include "pipeline/preparation/near_duplicates.h"

namespace gloss {

/// What repeated pairs have in common: all bytes of both sides or of one, or the letters of both.
enum class DuplicateKey { pair, source, target, letters };

/// How repeated lines are found.
struct DuplicateSettings {
  DuplicateKey key = DuplicateKey::pair;
  bool near = false;                     ///< finds lines that are nearly the same as well
  double similarity = kNearlySamePairs;  ///< the least of near duplicates
  bool names_decide = true;              ///< near duplicates must not contradict one another (contradict)
  std::int64_t memory = 512LL << 20;     ///< bytes for sorting
  int threads = 1;
};

/// A line, as the search keeps it.
struct SearchedLine {
  ByteHash key;
  double preference = 0;  ///< of lines that repeat one another, the one with the highest stays
  std::string folded{};   ///< packed; only for near duplicates
  std::array<std::uint32_t, kBands + 2> hashes{};
};

/// Numbers or hashes, one for each line, in a temporary file.
template <class Value>
class LineColumn {
 public:
  LineColumn();
  void append(const Value& value);
  std::int64_t size() const { return size_; }
  /// Calls `take` with each value and its line, in order. Thread-safe once all are appended and flushed.
  template <class Take>
  void for_each(const Take& take) const;
  void flush();

 private:
  std::unique_ptr<NamelessFile> file_;
  std::vector<Value> buffer_;
  std::int64_t size_ = 0;
};

/// The line that each line repeats.
struct Repetitions {
  std::vector<std::uint32_t> of;   ///< counted from 0; a line that stays has its own number
  std::vector<std::uint8_t> near;  ///< 1: it is nearly the same
};

/// Finds lines that repeat others, in any number of lines: hashes and folded texts are in temporary files,
/// and only numbers of a few bytes per line stay in memory. The result depends on neither threads nor memory.
///
/// Near duplicates share a band (bands_of), or all words of one side. In each group of lines with the same
/// hash, each line is compared with the one before it and with the first, in the order of preference, by
/// their real similarity: a line is never left out for another that is less similar than asked for.
class DuplicateSearch {
 public:
  explicit DuplicateSearch(const DuplicateSettings&);

  /// What the search needs of a line. Thread-safe.
  SearchedLine prepare(std::string_view source, std::string_view target) const;
  /// Adds the next line.
  void add(const SearchedLine&);
  /// Counts a line that neither repeats another nor is repeated.
  void pass_over();
  std::int64_t lines() const { return lines_; }

  /// The line that each line repeats. A line goes only for one that stays and that has the same key, or is
  /// as similar as asked for.
  Repetitions repetitions(Listener&);
  /// For each line the first line of its cluster: of all lines that are connected by repetitions.
  std::vector<std::uint32_t> clusters(Listener&);

 private:
  using Pair = std::uint64_t;  // two lines, of which the upper half is the one to leave out
  void complete();
  /// True if `a` is to stay rather than `b`.
  bool better(std::uint32_t a, std::uint32_t b) const;
  void find_exact(Repetitions&);
  std::vector<Pair> near_pairs(const Repetitions&, Listener&);
  std::vector<Pair> candidates_of(std::size_t column, std::uint64_t part, std::uint64_t parts,
                                  const Repetitions&) const;
  void keep_similar(std::vector<Pair>& pairs) const;
  ComparedText compared(std::uint32_t line) const;
  bool alike(const ComparedText&, const ComparedText&) const;

  DuplicateSettings settings_;
  std::uint32_t lines_ = 0;
  std::vector<std::uint8_t> passed_over_;
  std::vector<double> preferences_;  // empty: all lines have the same
  LineColumn<ByteHash> keys_;
  std::vector<LineColumn<std::uint32_t>> columns_;
  std::unique_ptr<NamelessFile> texts_;
  std::string text_buffer_;
  std::vector<std::int64_t> text_ends_;
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>

#include "pipeline/reading/input_stream.h"
#include "pipeline/reading/parallel_text.h"
#include "pipeline/reading/text_range_reader.h"

namespace gloss {

/// Reads parallel text once, pair by pair, as a stream, or plain text as targets of empty sources; also from
/// standard input; all, or those of a shard. Training, which reads its text more than once, uses
/// IndexedPairs.
class PairReader : public InputStream<SentencePair> {
 public:
  /// Throws InputError if a file cannot be opened, and for a shard if two files have different numbers of
  /// lines; UsageError if a text that is no regular file is to be divided.
  explicit PairReader(const ParallelFiles&, const Shard& = {});

  /// Reads the next pair; false at the end. Throws InputError, with the numbers of lines, if one file has
  /// more lines than the other, or if a line of a tsv file does not have exactly one tab.
  bool next(SentencePair&) override;
  bool available(std::chrono::steady_clock::time_point until) override;
  std::string place(std::int64_t number) const override;
  CutLines cut_lines() const override;
  std::vector<std::string> warnings() const override { return warnings_; }
  std::vector<std::string> notes() const override;
  std::string unit() const override { return plain_ ? "lines" : "pairs"; }
  std::int64_t items_before() const override { return shard_.lines_before(); }
  /// What is read of the text; of two files, of the source.
  const TextShard& shard() const { return shard_; }

 private:
  bool next_row(SentencePair&);

  std::string name_;
  std::vector<std::string> warnings_;
  bool plain_, two_;
  TextShard shard_;
  std::unique_ptr<TextRangeReader> source_, target_;  // null: nothing of them is read
};

}  // namespace gloss

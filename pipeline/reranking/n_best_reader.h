// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/lines.h"
#include "pipeline/reading/input_stream.h"
#include "pipeline/reading/parallel_text.h"
#include "pipeline/reading/text_shard.h"
#include "pipeline/reranking/n_best_list.h"

namespace gloss {

/// Reads an n-best list as pairs of a source line and one of its translations.
class NBestReader : public InputStream<SentencePair> {
 public:
  /// `source` is the file of source lines, `list` the n-best list; all of it, or a shard. Throws InputError
  /// if a file cannot be opened, UsageError if a list that is no regular file is to be divided.
  NBestReader(const std::string& source, const std::string& list, const Shard& = {});

  /// Throws InputError if a line does not have the format of an n-best list or its source line does not
  /// exist.
  bool next(SentencePair&) override;
  bool available(std::chrono::steady_clock::time_point until) override {
    return list_ == nullptr || list_->available(until);
  }
  std::string place(std::int64_t number) const override;
  std::string unit() const override { return "pairs"; }

  std::int64_t items_before() const override { return shard_.lines_before(); }
  /// What is read of the list.
  const TextShard& shard() const { return shard_; }

  /// Entries with a feature of this name are refused: `next` throws InputError.
  void refuse_feature(const std::string& name) { refused_feature_ = name; }
  /// The entries of the next `pairs` pairs will not be taken.
  void drop_entries(std::int64_t pairs) { dropped_ = pairs; }
  /// Removes and returns the entry of the next pair, in the order of reading.
  NBestEntry take_entry();

 private:
  /// The number of lines of the part that were read.
  std::int64_t lines_read() const { return list_->line_number() - part_.first_line; }

  std::string source_name_, list_name_, refused_feature_;
  std::vector<std::string> sources_;
  TextShard shard_;
  TextRange part_;                    // of the list
  std::unique_ptr<LineReader> list_;  // null: nothing is read
  std::int64_t dropped_ = 0;
  std::deque<NBestEntry> entries_;  // of pairs that were read but not yet taken
};

}  // namespace gloss

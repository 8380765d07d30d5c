// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <deque>
#include <string>
#include <vector>

#include "base/lines.h"
#include "pipeline/data/input_stream.h"
#include "pipeline/data/parallel_text.h"
#include "pipeline/inference/n_best_list.h"

namespace gloss {

/// Reads an n-best list as pairs of a source line and one of its translations.
class NBestReader : public InputStream<SentencePair> {
 public:
  /// `source` is the file of source lines, `list` the n-best list. Throws InputError if a file cannot be
  /// opened.
  NBestReader(const std::string& source, const std::string& list);

  /// Throws InputError if a line does not have the format of an n-best list or its source line does not
  /// exist.
  bool next(SentencePair&) override;
  bool available(std::chrono::steady_clock::time_point until) override { return list_.available(until); }
  std::string place(std::int64_t number) const override;
  std::string unit() const override { return "pairs"; }

  /// Removes and returns the entry of the next pair, in the order of reading.
  NBestEntry take_entry();

 private:
  std::string source_name_;
  std::vector<std::string> sources_;
  LineReader list_;
  std::deque<NBestEntry> entries_;  // of pairs that were read but not yet taken
};

}  // namespace gloss

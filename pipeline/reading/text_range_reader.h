// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "pipeline/reading/text_reader.h"
#include "pipeline/reading/text_shard.h"

namespace gloss {

/// Reads the lines of a text file that belong to a shard.
class TextRangeReader {
 public:
  /// Passes over the lines before the part. Cuts long lines.
  TextRangeReader(const TextRange&, std::int64_t longest_line);

  /// The next line of the part; false at its end.
  bool next(std::string& line) { return !at_end() && reader_.next(line); }
  /// These are as in LineReader.
  bool available(std::chrono::steady_clock::time_point until) { return at_end() || reader_.available(until); }
  std::int64_t position() const { return reader_.position(); }
  const std::string& name() const { return reader_.name(); }
  /// The number of lines of the part that were read.
  std::int64_t lines() const { return reader_.line_number() - part_.first_line; }
  /// Those of the part, counted from its first line.
  CutLines cut_lines() const;
  std::vector<std::string> notes() const { return reader_.notes(); }

 private:
  bool at_end() const { return part_.lines >= 0 && lines() >= part_.lines; }

  TextRange part_;
  TextReader reader_;
  std::int64_t cut_before_ = 0;  // lines before the part that were cut
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/lines.h"
#include "pipeline/reading/text_habits.h"

namespace gloss {

/// Reads the lines of a text without what does not belong to it (cleaned_line). LineReader reads them as they
/// are.
class TextReader {
 public:
  explicit TextReader(const std::string& path, const LineLimit& limit = {}, const FileRange& range = {})
      : lines_(path, limit, range), begins_(range.begin == 0), habits_(lines_.name(), lines_.encoding()) {}

  /// These are as in LineReader.
  bool next(std::string& line);
  bool available(std::chrono::steady_clock::time_point until) { return lines_.available(until); }
  std::int64_t line_number() const { return lines_.line_number(); }
  /// About how many bytes of the file, compressed if it is, were read.
  std::int64_t position() const { return lines_.position(); }
  const CutLines& cut_lines() const { return lines_.cut_lines(); }
  const std::string& name() const { return lines_.name(); }
  /// What was removed and noticed in the lines so far.
  std::vector<std::string> notes() const { return habits_.notes(); }

 private:
  LineReader lines_;
  bool begins_;  // with the first line of the file
  TextHabits habits_;
};

}  // namespace gloss

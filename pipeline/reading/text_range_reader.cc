// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/text_range_reader.h"

#include <algorithm>

namespace gloss {

TextRangeReader::TextRangeReader(const TextRange& part, std::int64_t longest_line)
    : part_(part), reader_(part.path, LineLimit{longest_line, true}, part.bytes) {
  std::string line;
  for (std::int64_t i = 0; i < part.first_line; ++i) reader_.next(line);
  cut_before_ = reader_.cut_lines().count;
}

CutLines TextRangeReader::cut_lines() const {
  CutLines cut = reader_.cut_lines();
  cut.count -= cut_before_;
  cut.first = std::max<std::int64_t>(cut.first - part_.first_line, 1);
  return cut;
}

}  // namespace gloss

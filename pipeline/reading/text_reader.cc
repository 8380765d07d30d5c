// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/text_reader.h"

namespace gloss {

bool TextReader::next(std::string& line) {
  if (!lines_.next(line)) return false;
  habits_.add(line);
  clean_line(line, begins_ && lines_.line_number() == 1);
  return true;
}

}  // namespace gloss

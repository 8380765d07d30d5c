#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/lines.h"

namespace gloss {

/// Waits for a line of a stream, then takes what is there with it, of a big file some thousand lines: so that
/// a slow stream is answered line by line and a big file in bounded memory. Empty at the end.
std::vector<std::string> next_window(LineReader&);

/// Something that happened on some lines, to be reported once.
struct Happening {
  std::int64_t lines = 0, times = 0, first_line = 0;
  /// `line` is counted from 1.
  void add(std::int64_t line, std::int64_t times_on_line);
  /// "on 1 line (line 7)".
  std::string where() const;
};

}  // namespace gloss

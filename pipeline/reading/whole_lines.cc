// SPDX-License-Identifier: Apache-2.0

#include "pipeline/reading/whole_lines.h"

#include "base/text.h"
#include "pipeline/reading/text_start.h"

namespace gloss {

WholeLines::WholeLines(const std::string& path, std::int64_t longest)
    : reader_(path, {.bytes = longest}), warnings_(doubts_about_text({path})) {}

bool WholeLines::next(std::string& line) {
  if (!reader_.next(line)) return false;
  if (reader_.line_ended()) line += '\n';
  return true;
}

std::string WholeLines::place(std::int64_t number) const { return concat(reader_.name(), ":", number); }

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/closing_mark.h"

#include "tokenizer/characters.h"
#include "tokenizer/sentences/marks.h"

namespace gloss {

bool is_closing_mark_at(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 4;  // bytes of a character
  if (at >= text.size()) return false;
  const std::u32string next = code_points(text.substr(at, 2 * kLongest));
  const char32_t mark = next.front();
  constexpr std::u32string_view kClauseMarks = U",;:、，；：";
  if (is_end_mark(mark) || is_closing_bracket(mark) || kClauseMarks.find(mark) != std::u32string_view::npos)
    return true;
  // Quotation marks that may open as well: by what follows.
  return is_closing(mark) && (next.size() == 1 || next[1] == ' ' || is_end_mark(next[1]));
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/marks.h"

#include <string_view>

#include "tokenizer/characters.h"
#include "tokenizer/sentences/unicode_sentences.h"

namespace gloss {
namespace {

bool is_one_of(std::u32string_view characters, char32_t character) {
  return characters.find(character) != std::u32string_view::npos;
}

}  // namespace

bool is_space(char32_t c) { return c == ' ' || (c >= 9 && c <= 13) || (c >= 0x80 && is_unicode_space(c)); }

bool is_line_separator(char32_t c) { return c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029; }

bool is_end_mark(char32_t c) {
  if (c < 0x80) return c == '.' || c == '!' || c == '?';
  return c == U'…' || is_sentence_terminal(c);
}

bool is_end_mark_without_space(char32_t c) { return is_one_of(U"。｡！？︒︕︖﹗﹖", c); }

bool is_either_way(char32_t c) { return is_one_of(U"\"'“”‘’«»‹›", c); }

bool is_opening_bracket(char32_t c) { return is_one_of(U"([{（［｛【〔〈《", c); }

bool is_closing_bracket(char32_t c) { return is_one_of(U")]}）］｝】〕〉》", c); }

bool is_opening(char32_t c) {
  return is_either_way(c) || is_opening_bracket(c) || is_one_of(U"„‚‛‟「『¿¡*_", c);
}

bool is_closing(char32_t c) { return is_either_way(c) || is_closing_bracket(c) || is_one_of(U"」』*_", c); }

bool is_bullet(char32_t c) { return is_one_of(U"•‣▪▫◦●○■□◆◇⁃∙➢➤►▶✓✔", c); }

}  // namespace gloss

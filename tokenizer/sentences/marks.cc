// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/marks.h"

#include <string_view>

#include "tokenizer/characters.h"
#include "tokenizer/sentences/unicode_sentences.h"

namespace gloss {
bool is_one_of(std::u32string_view characters, char32_t character) {
  return characters.find(character) != std::u32string_view::npos;
}

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

bool is_dash(char32_t c) { return is_one_of(U"-–—―", c); }

bool is_emoji(char32_t c) {
  constexpr char32_t kFirst = 0x2600, kJoiner = 0x200D, kPresentation = 0xFE0F;
  if (c == kJoiner || c == kPresentation) return true;
  return c >= kFirst && is_pictograph(c) && !is_bullet(c) && !is_one_of(U"➡⤴⤵⬅⬆⬇", c);
}

bool is_face(char32_t c) {
  return (c >= 0x1F600 && c <= 0x1F64F) || (c >= 0x1F910 && c <= 0x1F92F) || (c >= 0x1F970 && c <= 0x1F97A);
}

bool is_letter_without_space(char32_t c) {
  return (c >= 0x3041 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0x20000 && c <= 0x3FFFF);
}

}  // namespace gloss

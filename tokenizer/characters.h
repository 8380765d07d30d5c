// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// The code points of `bytes`; each invalid part becomes U+FFFD.
std::u32string code_points(std::string_view bytes);
/// Writes the code points to `out`, which reuses its memory.
void code_points(std::string_view bytes, std::u32string& out);

/// Appends the UTF-8 bytes of a code point to `out`.
void append_utf8(std::string& out, char32_t character);

/// Lower-cases valid UTF-8 with Unicode's full, language-independent mapping, including final sigma, as
/// Python's str.lower() does.
std::string lower_case(std::string_view text);

/// General category P: punctuation.
bool is_punctuation(char32_t character);
/// General category S: symbols.
bool is_symbol(char32_t character);
/// General category L: letters.
bool is_letter(char32_t character);
/// The lower case (by a single character) of a letter or mark, general categories L and M; 0 for others.
char32_t lower_letter(char32_t character);
/// Unicode's properties Uppercase (or a title-case letter) and Lowercase.
bool is_upper_case(char32_t character);
bool is_lower_case(char32_t character);
/// The character that stands for all cases of this one (simple case folding).
char32_t folded_case(char32_t character);
/// General category C: control, format, private-use and unassigned characters.
bool is_other(char32_t character);
/// General category Zs: spaces.
bool is_space_separator(char32_t character);
/// Unicode's property White_Space.
bool is_unicode_space(char32_t character);
/// Pictographs of emoji: Unicode's properties Emoji and Extended_Pictographic, Emoji_Modifier,
/// Regional_Indicator.
bool is_pictograph(char32_t character);
/// General category N: digits, Roman numerals and other numbers.
bool is_number(char32_t character);

/// White space as Python's str.split() defines it (bidirectional types WS, B, S and category Zs).
constexpr bool is_white_space(char32_t c) {
  return c == ' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f) || c == 0x85 || c == 0xa0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f ||
         c == 0x205f || c == 0x3000;
}

}  // namespace gloss

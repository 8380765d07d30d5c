// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gloss {

/// A well-formed character, or the maximal part of an ill-formed one (Unicode Standard, section 3.9).
struct Utf8Part {
  std::size_t size;  ///< in bytes
  bool valid;
};
/// The part at the start of `bytes`, which is not empty.
Utf8Part first_utf8_part(std::string_view bytes);
/// The code point of a well-formed character.
char32_t code_point(std::string_view character);

/// True if every byte is below 128.
bool is_ascii(std::string_view bytes);
/// True if the bytes are well-formed UTF-8 (Unicode Standard, table 3-7).
bool is_valid_utf8(std::string_view bytes);
/// Appends the bytes with each maximal ill-formed part replaced by U+FFFD; returns the number of
/// replacements.
std::int64_t append_valid_utf8(std::string_view bytes, std::string& out);
/// The bytes with each maximal ill-formed part replaced by U+FFFD.
std::string valid_utf8(std::string_view bytes);
/// Size in bytes of the character at the start of well-formed text, at most the text's size.
std::size_t character_size(std::string_view text);

}  // namespace gloss

#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// Text of which every byte is written as one character, so that a model of characters is one of bytes. The
/// characters are those of GPT-2 (Radford et al. 2019): printable ASCII and Latin-1 stand for their own
/// number, the other bytes for U+0100 to U+0142 in order; only the space is U+2581, as in all pieces.
std::string byte_characters(std::string_view bytes);
/// The bytes that such text stands for; any other character stands for its own.
std::string bytes_of_characters(std::string_view characters);
/// True if the text has no other characters.
bool is_byte_characters(std::string_view text);
/// The character of one byte.
const std::string& byte_character(unsigned char byte);

/// The rules, as SentencePiece compiles them, that make byte characters of text before it is cut into pieces.
const std::string& byte_level_rules();
/// The rules for the way back. SentencePiece cannot write NUL with them.
const std::string& byte_level_rules_back();

}  // namespace gloss

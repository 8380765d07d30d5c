// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// Maps each byte to one character, so that a character-based model works on bytes. The mapping is GPT-2's
/// (Radford et al. 2019): printable ASCII and Latin-1 bytes map to their own code point, the others to U+0100
/// to U+0142 in order; but the space maps to U+2581, as in all pieces.
std::string byte_characters(std::string_view bytes);
/// The inverse of byte_characters; characters outside the mapping give their UTF-8 bytes.
std::string bytes_of_characters(std::string_view characters);
/// True if all characters of the text are byte characters.
bool is_byte_characters(std::string_view text);
/// The character that represents a byte.
const std::string& byte_character(unsigned char byte);

/// SentencePiece's compiled normalisation rules for byte_characters, which it applies before splitting text.
const std::string& byte_level_rules();
/// The compiled rules for the inverse mapping. With them, SentencePiece cannot output NUL.
const std::string& byte_level_rules_back();

}  // namespace gloss

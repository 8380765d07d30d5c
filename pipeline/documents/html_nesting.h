// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/byte_range.h"

namespace gloss {

/// True for an ASCII letter.
inline bool is_letter_byte(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }

/// ASCII letters in lower case.
std::string lower_ascii(std::string_view text);

/// The name at the begin of text that follows "<" or "</" of a tag, in lower case, and at most 32 bytes of
/// it.
std::string tag_name(std::string_view text);

/// The bytes of the next tag or comment from `at` on, in text with tags that a parser ignores; empty, at the
/// end of the text, if there is none.
ByteRange next_markup(std::string_view text, std::size_t at);

/// The first byte at which more than `most` elements are open at once, about: those whose end tag may be left
/// out are not counted; the size of the document if there is none. (The time of a parse is the product of the
/// number of open elements and the size of the page.)
std::size_t too_deep(std::string_view document, std::size_t most);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

namespace gloss {

/// Appends the words of a text to `out`, in one form for all that reads alike: compatibility forms replaced,
/// upper and lower case folded, accents decomposed (NFKC_Casefold, then NFD), each word followed by a space.
/// A word has letters, digits and marks, and the '.', '/' and '@' between two ASCII letters or digits, as in
/// addresses. Anything else ends a word.
void append_folded(std::string_view text, std::u32string& out);

/// True for a letter of folded text that is a word, or a large part of one: CJK ideographs and kana.
constexpr bool is_ideograph(char32_t c) {
  return (c >= 0x2E80 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFF);
}
/// True for what joins the parts of an address.
constexpr bool joins_address(char32_t c) { return c == '.' || c == '/' || c == '@'; }

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// What words look like in any language, without the full stop after them.

/// A digit of ASCII.
bool is_digit(char32_t);
/// "1990".
bool is_whole_number(const std::u32string& word);
/// "XIV".
bool is_roman_number(const std::u32string& word);
/// "1", "1.2", "a", "IV", "ii": the number of an item of a list or of a heading.
bool is_item_number(const std::u32string& word);
/// Single letters with full stops between them: "J", "U.S".
bool is_initials(const std::u32string& word);

}  // namespace gloss

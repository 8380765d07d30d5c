// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/word_shapes.h"

#include <algorithm>

#include "tokenizer/characters.h"

namespace gloss {
namespace {

/// "ii", "iv", "xii": numbers of items in small letters.
bool is_small_roman_number(const std::u32string& word) {
  constexpr std::size_t kLongest = 5;
  return word.size() <= kLongest && word.find_first_not_of(U"ivx") == std::u32string::npos;
}

}  // namespace

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }

bool is_whole_number(const std::u32string& word) {
  return !word.empty() && std::ranges::all_of(word, is_digit);
}

bool is_roman_number(const std::u32string& word) {
  return !word.empty() && word.find_first_not_of(U"IVXLCDM") == std::u32string::npos;
}

bool is_item_number(const std::u32string& word) {
  constexpr std::size_t kLongest = 3;
  std::size_t part = 0;  // its length
  for (const char32_t c : word) {
    if (c == '.') {
      part = 0;
    } else if (!is_digit(c) || ++part > kLongest) {
      return word.size() == 1 ? is_letter(word.front())
                              : is_roman_number(word) || is_small_roman_number(word);
    }
  }
  return !word.empty();
}

bool is_initials(const std::u32string& word) {
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (i % 2 == 0 ? !is_letter(word[i]) : word[i] != '.') return false;
  }
  return word.size() % 2 == 1;
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/copied_words.h"

#include <algorithm>
#include <string>
#include <vector>

#include "tokenizer/characters.h"
#include "tokenizer/sentences/unicode_words.h"

namespace gloss {
namespace {

/// The parts of a text between white space.
std::vector<std::u32string> parts_of(std::string_view text) {
  std::vector<std::u32string> parts;
  bool open = false;
  for (const char32_t character : code_points(text)) {
    const bool space = is_unicode_space(character);
    if (!space && !open) parts.emplace_back();
    if (!space) parts.back() += character;
    open = !space;
  }
  return parts;
}

bool is_mark(char32_t character) { return is_punctuation(character) || is_symbol(character); }

/// Characters that no word has between its letters.
bool is_foreign_to_words(char32_t character) {
  const bool joins = character == U'\'' || character == U'\u2019' || character == U'-';
  return is_number(character) || (is_mark(character) && !joins);
}

/// Without the marks around it; empty unless it consists of words.
std::u32string words_in(const std::u32string& part) {
  const auto begin = std::find_if_not(part.begin(), part.end(), is_mark);
  const auto end = std::find_if_not(part.rbegin(), std::make_reverse_iterator(begin), is_mark).base();
  const std::u32string inner(begin, end);
  return std::any_of(inner.begin(), inner.end(), is_foreign_to_words) ? std::u32string() : inner;
}

}  // namespace

int copied_words(std::string_view text, std::string_view translation) {
  constexpr int kFewestWords = 4, kFewestSmall = 2;
  const std::vector<std::u32string> parts = parts_of(text);
  if (parts.empty() || parts != parts_of(translation)) return 0;
  int words = 0, small = 0;
  for (const std::u32string& part : parts) {
    std::string bytes;
    for (const char32_t character : words_in(part)) append_utf8(bytes, character);
    for (const ByteRange& word : unicode_words(bytes)) {
      const char32_t first = code_points(word.of(bytes)).front();
      if (!is_letter(first)) continue;
      ++words;
      if (!is_upper_case(first)) ++small;
    }
  }
  return words >= kFewestWords && small >= kFewestSmall ? words : 0;
}

}  // namespace gloss

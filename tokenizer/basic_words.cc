// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/basic_words.h"

#include <algorithm>
#include <string>

#include "tokenizer/characters.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

/// Characters that BERT makes words of their own: the blocks of Chinese characters.
bool is_chinese(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) ||
         (c >= 0x2A700 && c <= 0x2B81F) || (c >= 0x2B820 && c <= 0x2CEAF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0x2F800 && c <= 0x2FA1F);
}

/// Punctuation and the other ASCII marks.
bool is_mark(char32_t c) {
  const bool ascii =
      (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
  return ascii || is_punctuation(c);
}

/// The text without control characters, with spaces for white space and around Chinese characters.
std::string cleaned(std::string_view text) {
  std::string clean;
  for (const char32_t c : code_points(text)) {
    if (c == '\t' || c == '\n' || c == '\r' || is_space_separator(c)) {
      clean += ' ';
    } else if (is_chinese(c)) {
      clean += ' ';
      append_utf8(clean, c);
      clean += ' ';
    } else if (c != 0 && c != 0xFFFD && !is_other(c)) {
      append_utf8(clean, c);
    }
  }
  return clean;
}

/// Calls `take` with the parts of a text between characters that `separates`, which are parts too if `keep`.
template <class Separates, class Take>
void for_each_between(std::string_view text, const Separates& separates, bool keep, const Take& take) {
  std::string part, alone;
  const auto finish = [&] {
    if (!part.empty()) take(part);
    part.clear();
  };
  for (const char32_t c : code_points(text)) {
    if (!separates(c)) {
      append_utf8(part, c);
      continue;
    }
    finish();
    if (!keep) continue;
    alone.clear();
    append_utf8(alone, c);
    take(alone);
  }
  finish();
}

}  // namespace

void for_each_basic_word(std::string_view text, bool lower,
                         const std::function<void(std::string_view)>& take) {
  const std::string normal = clean_text(cleaned(text), Normalization::nfc).text;
  const auto is_space = [](char32_t c) { return is_white_space(c); };
  for_each_between(normal, is_space, false, [&](const std::string& word) {
    const std::string plain = lower ? without_accents(lower_case(word)) : word;
    for_each_between(plain, is_mark, true, [&](const std::string& part) {
      // Lower case and decomposition may bring in spaces.
      for_each_between(part, is_space, false, take);
    });
  });
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/tercom_tokenizer.h"

#include "pipeline/metrics/western.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

constexpr bool between(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

constexpr bool is_asian_mark(char32_t c) {
  return c == 0x3001 || c == 0x3002 || between(c, 0x3008, 0x3011) || between(c, 0x3014, 0x301f) ||
         between(c, 0xff61, 0xff65) || c == 0x30fb;
}

constexpr bool is_full_width_mark(char32_t c) {
  return c == 0xff0e || c == 0xff0c || c == 0xff1f || c == 0xff1a || c == 0xff1b || c == 0xff01 ||
         c == 0xff02 || c == 0xff08 || c == 0xff09;
}

/// Characters that become separate words. The range up to U+3F22, within the ideographs, is sacreBLEU's. Kana
/// are not split: sacreBLEU's rules for them require lines of kana only, and never match the padded line.
constexpr bool stands_alone(char32_t c) {
  return between(c, 0x4e00, 0x9fff) || between(c, 0x3400, 0x4dbf) || between(c, 0x31c0, 0x31ef) ||
         between(c, 0x2e80, 0x2eff) || between(c, 0x3300, 0x33ff) || between(c, 0xf900, 0xfaff) ||
         between(c, 0xfe30, 0xfe4f) || between(c, 0x3200, 0x3f22) || is_asian_mark(c) ||
         is_full_width_mark(c);
}

std::string split_asian(std::string_view text) {
  std::string out;
  for (const char32_t c : code_points(text)) {
    const bool alone = stands_alone(c);
    if (alone) out += ' ';
    append_utf8(out, c);
    if (alone) out += ' ';
  }
  return out;
}

void normalize(std::string& text) {
  unescape_entities(text);
  std::string out;
  split_punctuation(" " + text + " ", out);
  replace_all(out, "'s ", " 's ");
  split_number_marks(out, text);
}

std::string without_punctuation(std::string_view text, bool asian_too) {
  std::string out;
  for (const char32_t c : code_points(text)) {
    const bool mark =
        c < 0x80 && std::string_view(".,?:;!\"()").find(static_cast<char>(c)) != std::string_view::npos;
    if (mark || (asian_too && (is_asian_mark(c) || is_full_width_mark(c)))) continue;
    append_utf8(out, c);
  }
  return out;
}

}  // namespace

std::string tercom_words(std::string_view line, const TerSettings& settings) {
  std::string text = settings.case_sensitive ? std::string(line) : lower_case(line);
  if (settings.normalized) {
    normalize(text);
    if (settings.asian_support) text = split_asian(text);
  }
  if (settings.no_punct) text = without_punctuation(text, settings.asian_support);
  return text;
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/cleaning/mojibake.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "tokenizer/characters.h"

namespace gloss {
namespace {

/// CP1252 from 0x80 to 0x9F; 0: not defined.
constexpr std::array<char32_t, 32> kWindows{0x20AC, 0,      0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021,
                                            0x2C6,  0x2030, 0x160,  0x2039, 0x152,  0,      0x17D,  0,
                                            0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                            0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0,      0x17E,  0x178};

/// The byte of a character beyond ASCII in CP1252 or Latin-1; 0: it has none.
unsigned char byte_of(char32_t c) {
  if (c >= 0x80 && c <= 0xFF) return static_cast<unsigned char>(c);
  const auto found = std::ranges::find(kWindows, c);
  return found == kWindows.end() ? 0 : static_cast<unsigned char>(0x80 + (found - kWindows.begin()));
}

/// True for bytes with which mojibake of common scripts begins: those of À to ÿ and signs (C2, C3), Central
/// European letters (C4, C5), Greek, Cyrillic, Hebrew, Arabic, three and four bytes.
bool begins_character(unsigned char byte) {
  return (byte >= 0xC2 && byte <= 0xC5) || byte == 0xCE || byte == 0xCF || (byte >= 0xD0 && byte <= 0xD1) ||
         (byte >= 0xD7 && byte <= 0xD9) || (byte >= 0xE0 && byte <= 0xF4);
}

/// Decodes each run once; true if there was one.
bool decode_once(std::string& text) {
  const std::u32string characters = code_points(text);
  std::string decoded, run;
  bool changed = false;
  for (std::size_t i = 0; i < characters.size();) {
    run.clear();
    std::size_t end = i;
    while (end < characters.size() && byte_of(characters[end]) != 0)
      run += static_cast<char>(byte_of(characters[end++]));
    const bool proven =
        run.size() >= 2 && begins_character(static_cast<unsigned char>(run[0])) && is_valid_utf8(run);
    if (proven) {
      decoded += run;
      changed = true;
    } else {
      end = std::max(end, i + 1);
      for (std::size_t j = i; j < end; ++j) append_utf8(decoded, characters[j]);
    }
    i = end;
  }
  if (changed) text = std::move(decoded);
  return changed;
}

}  // namespace

bool repair_mojibake(std::string& text) {
  constexpr int kMostTimes = 3;
  if (is_ascii(text)) return false;
  int times = 0;
  while (times < kMostTimes && decode_once(text)) ++times;
  return times > 0;
}

}  // namespace gloss

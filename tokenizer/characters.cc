// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/characters.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"

namespace gloss {
void code_points(std::string_view bytes, std::u32string& out) {
  const auto* text = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const auto size = static_cast<std::int64_t>(bytes.size());
  out.resize(bytes.size());
  std::size_t count = 0;
  for (std::int64_t at = 0; at < size;) {
    if (text[at] < 0x80) {
      out[count++] = text[at++];
      continue;
    }
    UChar32 character;
    U8_NEXT_OR_FFFD(text, at, size, character);
    out[count++] = static_cast<char32_t>(character);
  }
  out.resize(count);
}

std::u32string code_points(std::string_view bytes) {
  std::u32string out;
  code_points(bytes, out);
  return out;
}

void append_utf8(std::string& out, char32_t character) {
  char bytes[U8_MAX_LENGTH];
  int size = 0;
  U8_APPEND_UNSAFE(bytes, size, character);
  out.append(bytes, index(size));
}

std::string lower_case(std::string_view text) {
  std::string out;
  if (is_ascii(text)) {
    out.assign(text);
    for (char& byte : out) {
      if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
    }
    return out;
  }
  out.reserve(text.size() + 8);
  UErrorCode error = U_ZERO_ERROR;
  icu::StringByteSink<std::string> sink(&out);
  // The empty name is the root locale, without Turkish, Lithuanian or Azeri rules.
  icu::CaseMap::utf8ToLower("", 0, icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())),
                            sink, nullptr, error);
  if (U_FAILURE(error)) throw Error(concat("lower-casing failed: ", u_errorName(error)));
  return out;
}

bool is_punctuation(char32_t character) {
  return (U_GET_GC_MASK(static_cast<UChar32>(character)) & U_GC_P_MASK) != 0;
}

bool is_symbol(char32_t character) {
  return (U_GET_GC_MASK(static_cast<UChar32>(character)) & U_GC_S_MASK) != 0;
}

bool is_letter(char32_t character) {
  return (U_GET_GC_MASK(static_cast<UChar32>(character)) & U_GC_L_MASK) != 0;
}

char32_t lower_letter(char32_t character) {
  const auto c = static_cast<UChar32>(character);
  const bool kept = (U_GET_GC_MASK(c) & (U_GC_L_MASK | U_GC_M_MASK)) != 0;
  return kept ? static_cast<char32_t>(u_tolower(c)) : 0;
}

bool is_upper_case(char32_t character) {
  const auto c = static_cast<UChar32>(character);
  return u_isUUppercase(c) || u_charType(c) == U_TITLECASE_LETTER;
}

bool is_lower_case(char32_t character) { return u_isULowercase(static_cast<UChar32>(character)); }

bool is_other(char32_t character) {
  return (U_GET_GC_MASK(static_cast<UChar32>(character)) & U_GC_C_MASK) != 0;
}

bool is_space_separator(char32_t character) {
  return u_charType(static_cast<UChar32>(character)) == U_SPACE_SEPARATOR;
}

bool is_unicode_space(char32_t character) { return u_isUWhiteSpace(static_cast<UChar32>(character)) != 0; }

bool is_pictograph(char32_t character) {
  const auto c = static_cast<UChar32>(character);
  const auto has = [c](UProperty property) { return u_hasBinaryProperty(c, property) != 0; };
  // Extended_Pictographic alone also has signs such as a musical note; Emoji alone has digits.
  return (has(UCHAR_EMOJI) && has(UCHAR_EXTENDED_PICTOGRAPHIC)) || has(UCHAR_EMOJI_MODIFIER) ||
         has(UCHAR_REGIONAL_INDICATOR);
}

bool is_number(char32_t character) {
  return (U_GET_GC_MASK(static_cast<UChar32>(character)) & U_GC_N_MASK) != 0;
}

}  // namespace gloss

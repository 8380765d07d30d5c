// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/characters.h"

#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"
#include "tokenizer/character_classes.h"
#include "tokenizer/character_pages.h"

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

char32_t folded_case(char32_t character) {
  return static_cast<char32_t>(u_foldCase(static_cast<UChar32>(character), U_FOLD_CASE_DEFAULT));
}

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

namespace {

std::uint32_t computed_class(char32_t character) {
  const auto c = static_cast<UChar32>(character);
  const std::uint32_t category = U_GET_GC_MASK(c);
  const auto bit = [](bool has, CharacterClass flag) { return has ? static_cast<std::uint32_t>(flag) : 0U; };
  UErrorCode error = U_ZERO_ERROR;
  const auto script = static_cast<std::uint32_t>(uscript_getScript(c, &error)) & 0xFF;
  const bool word = (category & (U_GC_L_MASK | U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0;
  return bit((category & U_GC_L_MASK) != 0, kLetter) | bit(u_isUAlphabetic(c), kAlphabetic) |
         bit(is_upper_case(character), kUpper) | bit(is_lower_case(character), kLower) |
         bit((category & U_GC_ND_MASK) != 0, kDigit) | bit(is_white_space(character), kSplits) |
         bit(is_unicode_space(character), kSpace) | bit((category & U_GC_P_MASK) != 0, kPunctuation) |
         bit((category & U_GC_S_MASK) != 0, kSymbol) | bit((category & U_GC_M_MASK) != 0, kMark) |
         bit((category & U_GC_CC_MASK) != 0, kControl) | bit((category & U_GC_CF_MASK) != 0, kFormat) |
         bit((category & U_GC_CO_MASK) != 0, kPrivate) | bit(is_pictograph(character), kPictograph) |
         bit(word, kWordPart) | script << 24;
}

using ClassPage = std::array<std::uint32_t, kCharacterPage>;

std::unique_ptr<ClassPage> class_page(std::size_t number) {
  auto page = std::make_unique<ClassPage>();
  for (std::size_t i = 0; i < kCharacterPage; ++i) {
    (*page)[i] = computed_class(static_cast<char32_t>(number * kCharacterPage + i));
  }
  return page;
}

CharacterPages<ClassPage> class_pages(class_page);

}  // namespace

std::uint32_t character_class(char32_t character) {
  return character > 0x10FFFF ? 0 : class_pages.of(character)[character % kCharacterPage];
}

std::uint32_t script_named(const std::string& name) {
  constexpr int kMost = 4;
  UScriptCode scripts[kMost];
  UErrorCode error = U_ZERO_ERROR;
  const int count = uscript_getCode(name.c_str(), scripts, kMost, &error);
  return U_FAILURE(error) || count < 1 ? 0 : static_cast<std::uint32_t>(scripts[0]) & 0xFF;
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/folded_text.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/error.h"
#include "tokenizer/character_pages.h"

namespace gloss {
namespace {

/// Values of a table besides folded characters: what ends a word, and what is passed over, such as soft
/// hyphens.
constexpr std::uint32_t kEndsWord = 0, kIgnored = 1;
/// The value has the place of several characters in `longer`.
constexpr std::uint32_t kLonger = 1U << 31;

/// The folded forms of the characters of a page.
struct FoldedPage {
  std::array<std::uint32_t, kCharacterPage> values{};
  std::vector<std::u32string> longer{};
};

std::u32string folded(UChar32 character) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* const fold = icu::Normalizer2::getNFKCCasefoldInstance(status);
  const icu::Normalizer2* const decompose = icu::Normalizer2::getNFDInstance(status);
  const icu::UnicodeString text =
      U_FAILURE(status)
          ? icu::UnicodeString()
          : decompose->normalize(fold->normalize(icu::UnicodeString(character), status), status);
  if (U_FAILURE(status)) throw Error(concat("ICU has no normalisation data: ", u_errorName(status)));
  std::u32string parts;
  for (std::int32_t i = 0; i < text.length(); i = text.moveIndex32(i, 1)) {
    parts += static_cast<char32_t>(text.char32At(i));
  }
  return parts;
}

std::unique_ptr<FoldedPage> folded_page(std::size_t number) {
  auto page = std::make_unique<FoldedPage>();
  for (std::size_t i = 0; i < kCharacterPage; ++i) {
    const auto character = static_cast<UChar32>(number * kCharacterPage + i);
    std::u32string parts = folded(character);
    const bool ignored = parts.empty();
    std::erase_if(parts, [](char32_t c) {
      constexpr std::uint32_t kOfWords = U_GC_L_MASK | U_GC_N_MASK | U_GC_M_MASK;
      return (U_GET_GC_MASK(static_cast<UChar32>(c)) & kOfWords) == 0;
    });
    std::uint32_t& value = page->values[i];
    if (parts.empty()) {
      value = ignored ? kIgnored : kEndsWord;
    } else if (parts.size() == 1) {
      value = parts[0];
    } else {
      value = kLonger | static_cast<std::uint32_t>(page->longer.size());
      page->longer.push_back(std::move(parts));
    }
  }
  return page;
}

CharacterPages<FoldedPage> folded_pages(folded_page);

bool in_address(std::string_view text, std::size_t at) {
  const auto letter_or_digit = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return at > 0 && at + 1 < text.size() && letter_or_digit(text[at - 1]) && letter_or_digit(text[at + 1]);
}

}  // namespace

void append_folded(std::string_view text, std::u32string& out) {
  const FoldedPage& ascii = folded_pages.of(0);
  const auto size = static_cast<std::int64_t>(text.size());
  bool within = false;  // a word
  for (std::int64_t at = 0; at < size;) {
    const auto begin = static_cast<std::size_t>(at);
    const auto byte = static_cast<unsigned char>(text[begin]);
    std::uint32_t value = kEndsWord;
    const FoldedPage* page = &ascii;
    if (byte < 0x80) {
      ++at;
      value = joins_address(byte) && in_address(text, begin) ? byte : ascii.values[byte];
    } else {
      UChar32 character;
      U8_NEXT_OR_FFFD(reinterpret_cast<const std::uint8_t*>(text.data()), at, size, character);
      page = &folded_pages.of(static_cast<char32_t>(character));
      value = page->values[static_cast<std::size_t>(character) % kCharacterPage];
    }
    if (value == kIgnored) continue;
    if (value == kEndsWord) {
      if (within) out += U' ';
      within = false;
      continue;
    }
    within = true;
    if ((value & kLonger) == 0) {
      out += static_cast<char32_t>(value);
    } else {
      out += page->longer[value & ~kLonger];
    }
  }
  if (within) out += U' ';
}

}  // namespace gloss

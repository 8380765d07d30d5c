// SPDX-License-Identifier: Apache-2.0
// Normalisation and character properties by ICU.
#include "tokenizer/text.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>
#include <unicode/uchar.h>
#include <unicode/utf8.h>
#include <unicode/uversion.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"

namespace gloss {
namespace {

const icu::Normalizer2& normalizer(Normalization form) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* found = form == Normalization::nfc ? icu::Normalizer2::getNFCInstance(status)
                                                             : icu::Normalizer2::getNFKCInstance(status);
  if (U_FAILURE(status)) throw Error(concat("ICU has no normalisation data: ", u_errorName(status)));
  return *found;
}

UChar32 next_character(std::string_view text, std::size_t& at) {
  auto position = static_cast<std::int64_t>(at);
  const auto size = static_cast<std::int64_t>(text.size());
  UChar32 character;
  U8_NEXT(text.data(), position, size, character);
  at = index(position);
  return character;
}

void append_character(std::string& text, UChar32 character) {
  char bytes[U8_MAX_LENGTH];
  std::size_t size = 0;
  U8_APPEND_UNSAFE(bytes, size, character);
  text.append(bytes, size);
}

/// Longer runs of combining marks are sorted before they are passed to ICU.
constexpr std::size_t kLongRun = 64;

/// Appends the marks, decomposed and in canonical order (Unicode Standard, D109).
void append_ordered(std::string& out, std::string_view marks) {
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* decomposer = icu::Normalizer2::getNFDInstance(status);
  if (U_FAILURE(status)) throw Error(concat("ICU has no normalisation data: ", u_errorName(status)));
  std::vector<UChar32> characters;
  for (std::size_t at = 0; at < marks.size();) {
    const UChar32 mark = next_character(marks, at);
    icu::UnicodeString parts;
    if (!decomposer->getDecomposition(mark, parts)) parts = mark;
    for (int i = 0; i < parts.length(); i = parts.moveIndex32(i, 1)) characters.push_back(parts.char32At(i));
  }
  std::stable_sort(characters.begin(), characters.end(),
                   [](UChar32 a, UChar32 b) { return u_getCombiningClass(a) < u_getCombiningClass(b); });
  for (const UChar32 character : characters) append_character(out, character);
}

/// Puts long runs of combining marks into canonical order. ICU uses insertion sort, which takes quadratic
/// time on a line of marks only.
std::string with_long_runs_ordered(std::string text) {
  if (text.size() <= 2 * kLongRun) return text;  // a mark takes two bytes or more
  std::string out;
  std::size_t kept = 0, run_start = 0, run_length = 0;
  const auto end_run = [&](std::size_t end) {
    if (run_length > kLongRun) {
      const std::string_view whole = text;
      out += whole.substr(kept, run_start - kept);
      append_ordered(out, whole.substr(run_start, end - run_start));
      kept = end;
    }
    run_length = 0;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t before = at;
    if (u_getCombiningClass(next_character(text, at)) == 0) {
      end_run(before);
    } else if (run_length++ == 0) {
      run_start = before;
    }
  }
  end_run(text.size());
  if (kept == 0) return text;
  return out.append(text, kept);
}

/// Where to split a text that exceeds ICU's 32-bit lengths: before a character that never composes with the
/// preceding one.
std::size_t block_end(const icu::Normalizer2& form, std::string_view text) {
  constexpr std::size_t kBlock = 1 << 28, kLargest = 1 << 30;
  if (text.size() <= kLargest) return text.size();
  std::size_t at = kBlock;
  while (U8_IS_TRAIL(text[at])) ++at;
  while (at < kLargest) {
    const std::size_t before = at;
    if (form.hasBoundaryBefore(next_character(text, at))) return before;
  }
  return at;
}

/// Normalises valid UTF-8.
std::string normalize(std::string text, Normalization normalization) {
  const icu::Normalizer2& form = normalizer(normalization);
  text = with_long_runs_ordered(std::move(text));
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view block = rest.substr(0, block_end(form, rest));
    rest.remove_prefix(block.size());
    UErrorCode status = U_ZERO_ERROR;
    const bool normalized = form.isNormalizedUTF8({block.data(), static_cast<int32_t>(block.size())}, status);
    if (normalized && U_SUCCESS(status)) {
      if (block.size() == text.size()) return text;
      out += block;
      continue;
    }
    icu::StringByteSink<std::string> sink(&out);
    status = U_ZERO_ERROR;
    form.normalizeUTF8(0, {block.data(), static_cast<int32_t>(block.size())}, sink, nullptr, status);
    if (U_FAILURE(status)) throw Error(concat("ICU could not normalise a text: ", u_errorName(status)));
  }
  return out;
}

}  // namespace

Choice normalization_choice(Normalization& normalization) {
  return choice(normalization, {"none", "nfc", "nfkc"});
}

CleanText clean_text(std::string_view bytes, Normalization normalization) {
  CleanText clean;
  if (is_ascii(bytes)) {
    clean.text = bytes;
    return clean;
  }
  clean.replaced = append_valid_utf8(bytes, clean.text);
  if (normalization != Normalization::none) clean.text = normalize(std::move(clean.text), normalization);
  return clean;
}

std::string without_accents(std::string_view text) {
  if (is_ascii(text)) return std::string(text);
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* decomposer = icu::Normalizer2::getNFDInstance(status);
  if (U_FAILURE(status)) throw Error(concat("ICU has no normalisation data: ", u_errorName(status)));
  std::string out;
  icu::UnicodeString parts;
  // Canonical order changes only marks, which go anyway, and others that are seldom together with them.
  for (std::size_t at = 0; at < text.size();) {
    const UChar32 character = next_character(text, at);
    if (!decomposer->getDecomposition(character, parts)) parts = character;
    for (int i = 0; i < parts.length(); i = parts.moveIndex32(i, 1)) {
      const UChar32 part = parts.char32At(i);
      if (u_charType(part) != U_NON_SPACING_MARK) append_character(out, part);
    }
  }
  return out;
}

std::int64_t count_characters(std::string_view text) {
  return std::count_if(text.begin(), text.end(),
                       [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; });
}

std::string icu_version() {
  UVersionInfo version{};
  u_getVersion(version);
  std::array<char, U_MAX_VERSION_STRING_LENGTH> text{};
  u_versionToString(version, text.data());
  return text.data();
}

}  // namespace gloss

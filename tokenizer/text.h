// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fields.h"

namespace gloss {

/// Unicode normalisation forms (Unicode Standard Annex 15).
enum class Normalization { none, nfc, nfkc };
Choice normalization_choice(Normalization&);

/// Normalised text in valid UTF-8.
struct CleanText {
  std::string text;
  std::int64_t replaced = 0;  ///< number of invalid byte sequences replaced by U+FFFD
};

/// Replaces invalid UTF-8 by U+FFFD (one per maximal invalid part, as the Unicode Standard recommends), then
/// normalises. Keeps NUL and other control characters.
CleanText clean_text(std::string_view bytes, Normalization);

/// Decomposes valid UTF-8 (normal form D) and removes the marks that do not take up space (category Mn).
std::string without_accents(std::string_view text);

/// Number of code points in well-formed UTF-8.
std::int64_t count_characters(std::string_view text);

/// The version of ICU, such as "72.1".
std::string icu_version();

}  // namespace gloss

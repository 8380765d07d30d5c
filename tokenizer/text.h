#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/fields.h"

namespace gloss {

/// Unicode normalisation forms (Unicode Standard Annex 15), done by ICU.
enum class Normalization { none, nfc, nfkc };
Choice normalization_choice(Normalization&);

/// Text made valid UTF-8 and normalised.
struct CleanText {
  std::string text;
  std::int64_t replaced = 0;  ///< invalid byte sequences that became U+FFFD
};

/// Replaces what is not UTF-8 by U+FFFD (one per maximal invalid part, as the Unicode Standard recommends),
/// then normalises. Never fails; NUL and other control characters are text. Every other character is kept.
CleanText clean_text(std::string_view bytes, Normalization);

/// How many code points well-formed UTF-8 has.
std::int64_t count_characters(std::string_view text);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>

#include "pipeline/cleaning/pair_text.h"

namespace gloss {

/// How much of a text is in the letters of a language.
struct LetterShares {
  double characters = 0;  ///< letters / characters but U+0020
  double words = 0;       ///< words that begin with such a letter / words
};

/// Uses the exemplar characters of the language (CLDR), the lower- and upper-case ones; of an unknown
/// language, all letters. Both shares of an empty text are 0, as OpusCleaner drops it.
LetterShares letter_shares(const SideText&, std::string_view language);

}  // namespace gloss

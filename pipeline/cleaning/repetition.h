// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string_view>

#include "pipeline/cleaning/pair_text.h"

namespace gloss {

/// How often the first unit of 3 to 101 characters that occurs three times in a row, perhaps with spaces
/// between, occurs again there, as OpusFilter counts it; 0: there is none.
std::size_t repeated_units(const SideText&);

/// The phrases that occur twice in a row and have more than 7 characters together, as hardrules finds them;
/// in languages other than those that hardrules lists, any characters.
std::size_t repeated_phrase_count(const SideText&, std::string_view language);

/// The most words in a row that repeat the words before them.
std::size_t words_of_repetition(const SideText&);

}  // namespace gloss

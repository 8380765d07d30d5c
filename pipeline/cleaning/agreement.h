// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/cleaning/pair_text.h"

namespace gloss {

/// The numbers of a text without their separators, in ASCII digits: "12345" for "1.234,5".
std::vector<std::string> numbers_of(const SideText&);

/// The longer of two lengths through the shorter one, with 12 added to both: of two short texts, a large
/// ratio says little.
double padded_length_ratio(std::size_t a, std::size_t b);

/// True if a text ends with a final mark such as '.', perhaps before closing quotes and brackets.
bool is_finished(std::u32string_view text);
/// The most that the other side may be longer (padded_length_ratio) than a side that only lacks its final
/// mark.
inline constexpr double kFinishedRatio = 1.35;

/// Twice the characters that both sequences have in common, in blocks as Python's difflib finds them, through
/// those of both; 1 for two empty ones. Unlike difflib, characters count however often they occur.
double matching_ratio(std::u32string_view a, std::u32string_view b);
/// The size of the longest common substring.
std::size_t longest_common_substring(std::u32string_view a, std::u32string_view b);
/// The number of insertions, deletions and substitutions that make `b` of `a` (Levenshtein).
std::size_t levenshtein_distance(std::u32string_view a, std::u32string_view b);

}  // namespace gloss

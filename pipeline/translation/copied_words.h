// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>

namespace gloss {

/// The number of words of a text if its translation is the text itself, apart from white space, and that is
/// unusual; else 0. It is usual for text with fewer than four words, or fewer than two that do not begin with
/// a capital letter: names, numbers, headings. Words consist of letters: numbers, addresses and code are
/// none. Text without spaces is divided by dictionaries.
int copied_words(std::string_view text, std::string_view translation);

}  // namespace gloss

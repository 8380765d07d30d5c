// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string_view>

namespace gloss {

/// Calls `take` with the text before, between and after spaces.
template <class Take>
void for_each_column(std::string_view text, const Take& take) {
  for (std::size_t end; (end = text.find(' ')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    take(text.substr(0, end));
  }
  take(text);
}

/// Calls `take` with each word between spaces.
template <class Take>
void for_each_word(std::string_view text, const Take& take) {
  for_each_column(text, [&](std::string_view word) {
    if (!word.empty()) take(word);
  });
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string_view>

namespace gloss {

/// The most bytes of text that are split into pieces at once: that needs up to 250 bytes for each.
inline constexpr std::size_t kLongestPart = 1 << 17;

/// The size of the first part of a text: of all unless it is too long, else up to a space (the bytes `space`)
/// after a word, or if there is none, up to the last character that fits. The text is valid UTF-8.
std::size_t part_size(std::string_view text, std::string_view space);

/// Calls `take` with each part of a text, and once with an empty one.
template <class Take>
void for_each_part(std::string_view text, std::string_view space, const Take& take) {
  do {
    const std::size_t size = part_size(text, space);
    take(text.substr(0, size));
    text.remove_prefix(size);
  } while (!text.empty());
}

}  // namespace gloss

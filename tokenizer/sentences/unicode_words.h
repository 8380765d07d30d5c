// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace gloss {

/// Some bytes of a text.
struct ByteRange {
  std::size_t begin = 0, end = 0;

  std::size_t size() const { return end - begin; }
  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
  bool operator==(const ByteRange&) const = default;
};

/// The words, numbers and punctuation marks of a text by Unicode's rules (Unicode Standard Annex 29), from
/// ICU, which has dictionaries for scripts without spaces. White space belongs to none of them. Throws Error
/// if ICU fails. Safe to call on many threads at once.
std::vector<ByteRange> unicode_words(std::string_view text);

}  // namespace gloss

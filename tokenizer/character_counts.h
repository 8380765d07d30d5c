// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/symbols.h"

namespace gloss {

/// Counts the characters of a text, except NUL, which no piece can contain, and those of user-defined
/// symbols.
class CharacterCounts {
 public:
  explicit CharacterCounts(const std::vector<std::string>& symbols) : symbols_(symbols), counts_(0x110000) {}

  /// Counts a line of valid UTF-8. U+2581, which represents a space in pieces, counts as a space.
  void add(std::string_view line);
  bool empty() const { return total_ == 0; }
  /// The most frequent characters, without the space, which together with the space cover the fraction
  /// `coverage` of the text. Equally frequent ones are in the order of code points.
  std::vector<std::string> most_frequent(double coverage) const;

 private:
  Symbols symbols_;
  std::vector<std::int64_t> counts_;  // by code point
  std::int64_t total_ = 0;
  std::u32string characters_;
};

}  // namespace gloss

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/symbols.h"

namespace gloss {

/// Counts the characters of a text but for NUL, which no piece can hold, and those of symbols that are never
/// cut.
class CharacterCounts {
 public:
  explicit CharacterCounts(const std::vector<std::string>& symbols) : symbols_(symbols), counts_(0x110000) {}

  /// Takes a line of valid UTF-8. U+2581, which stands for a space within pieces, counts as one.
  void add(std::string_view line);
  bool empty() const { return total_ == 0; }
  /// The most frequent characters, but for the space, that together with it are the share `coverage` of the
  /// text; of equally frequent ones that with the lower number first.
  std::vector<std::string> most_frequent(double coverage) const;

 private:
  Symbols symbols_;
  std::vector<std::int64_t> counts_;  // by code point
  std::int64_t total_ = 0;
  std::u32string characters_;
};

}  // namespace gloss

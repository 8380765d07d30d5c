// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gloss {

/// Numbers the different words of a segment 0, 1, 2, ... in order of appearance. Does not copy the words:
/// they must remain valid until `clear`.
class WordNumbers {
 public:
  static constexpr std::uint32_t kUnknown = 0xffffffff;

  void clear();
  /// The number of `word`; assigns a new one if necessary.
  std::uint32_t add(std::string_view word);
  /// The number of `word`, or kUnknown.
  std::uint32_t find(std::string_view word) const;
  /// The number of different words.
  std::uint32_t size() const { return static_cast<std::uint32_t>(words_.size()); }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t word = kUnknown;
  };
  std::size_t place(std::string_view word, std::uint32_t hash) const;
  void grow();

  std::vector<std::string_view> words_;
  std::vector<Slot> slots_ = std::vector<Slot>(64);  // a power of two, at most half full
};

}  // namespace gloss

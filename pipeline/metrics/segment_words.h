// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace gloss {

/// Size in bytes of the white space character at offset `at`; 0 if there is none.
std::size_t white_space_at(std::string_view text, std::size_t at);

/// `text` without trailing Unicode white space.
std::string_view trim_end(std::string_view text);
/// `text` without leading and trailing Unicode white space.
std::string_view trim(std::string_view text);

/// Splits valid UTF-8 at runs of Unicode white space; the words point into `text`.
void split_words(std::string_view text, std::vector<std::string_view>& words);

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

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// The characters of a line and where each begins, for rules that look at characters and answer in bytes.
/// Invalid UTF-8 is U+FFFD, one for each invalid part.
class LineCharacters {
 public:
  /// `line`, of less than 4 GiB, must outlive this object.
  explicit LineCharacters(std::string_view line);

  std::size_t size() const { return ascii_ ? line_.size() : characters_.size(); }
  char32_t operator[](std::size_t at) const {
    return ascii_ ? static_cast<unsigned char>(line_[at])
                  : static_cast<char32_t>(characters_[at] & kCharacter);
  }
  /// The byte at which a character begins; that of `size()` is the size of the line.
  std::size_t byte(std::size_t at) const {
    if (at >= size()) return line_.size();
    return ascii_ ? at : sum_of_bytes(at);
  }
  /// The bytes of the characters from `first` to before `last`.
  std::string_view text(std::size_t first, std::size_t last) const {
    return line_.substr(byte(first), byte(last) - byte(first));
  }

 private:
  static constexpr std::uint32_t kCharacter = 0x1FFFFF, kSizeShift = 24;
  static constexpr std::size_t kBlock = 16;

  std::size_t sum_of_bytes(std::size_t at) const {
    std::size_t byte = blocks_[at / kBlock];
    for (std::size_t before = at / kBlock * kBlock; before < at; ++before)
      byte += characters_[before] >> kSizeShift;
    return byte;
  }

  std::string_view line_;
  bool ascii_;  // each byte is a character, and the following are empty
  std::vector<std::uint32_t>
      characters_;                     // and, in the highest byte, their sizes in bytes: lines may be long
  std::vector<std::uint32_t> blocks_;  // the byte at which every kBlock-th character begins
};

}  // namespace gloss

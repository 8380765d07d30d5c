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
    return ascii_ ? static_cast<unsigned char>(line_[at]) : characters_[at];
  }
  /// The byte at which a character begins; that of `size()` is the size of the line.
  std::size_t byte(std::size_t at) const {
    if (at >= size()) return line_.size();
    return ascii_ ? at : bytes_[at];
  }
  /// The bytes of the characters from `first` to before `last`.
  std::string_view text(std::size_t first, std::size_t last) const {
    return line_.substr(byte(first), byte(last) - byte(first));
  }

 private:
  std::string_view line_;
  bool ascii_;  // each byte is a character, and the following are empty
  std::u32string characters_;
  std::vector<std::uint32_t> bytes_;
};

}  // namespace gloss

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

  std::size_t size() const { return characters_.size(); }
  char32_t operator[](std::size_t at) const { return characters_[at]; }
  /// The byte at which a character begins; that of `size()` is the size of the line.
  std::size_t byte(std::size_t at) const { return at < characters_.size() ? bytes_[at] : line_.size(); }
  /// The bytes of the characters from `first` to before `last`.
  std::string_view text(std::size_t first, std::size_t last) const {
    return line_.substr(byte(first), byte(last) - byte(first));
  }

 private:
  std::string_view line_;
  std::u32string characters_;
  std::vector<std::uint32_t> bytes_;
};

}  // namespace gloss

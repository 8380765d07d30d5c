// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/line_characters.h"

#include "base/utf8.h"

namespace gloss {

LineCharacters::LineCharacters(std::string_view line) : line_(line), ascii_(is_ascii(line)) {
  if (ascii_) return;
  constexpr char32_t kReplacement = 0xFFFD;
  characters_.reserve(line.size());  // pages that stay empty take no memory
  blocks_.reserve(line.size() / kBlock + 1);
  for (std::size_t at = 0; at < line.size();) {
    if (characters_.size() % kBlock == 0) blocks_.push_back(static_cast<std::uint32_t>(at));
    char32_t character = static_cast<unsigned char>(line[at]);
    std::size_t size = 1;
    if (character >= 0x80) {
      const Utf8Part part = first_utf8_part(line.substr(at));
      character = part.valid ? code_point(line.substr(at, part.size)) : kReplacement;
      size = part.size;
    }
    characters_.push_back(static_cast<std::uint32_t>(character) | static_cast<std::uint32_t>(size)
                                                                      << kSizeShift);
    at += size;
  }
}

}  // namespace gloss

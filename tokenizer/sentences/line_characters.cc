// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/sentences/line_characters.h"

#include "base/utf8.h"

namespace gloss {

LineCharacters::LineCharacters(std::string_view line) : line_(line), ascii_(is_ascii(line)) {
  if (ascii_) return;
  constexpr char32_t kReplacement = 0xFFFD;
  characters_.reserve(line.size());
  bytes_.reserve(line.size());
  for (std::size_t at = 0; at < line.size();) {
    const auto byte = static_cast<unsigned char>(line[at]);
    bytes_.push_back(static_cast<std::uint32_t>(at));
    if (byte < 0x80) {
      characters_.push_back(byte);
      ++at;
      continue;
    }
    const Utf8Part part = first_utf8_part(line.substr(at));
    characters_.push_back(part.valid ? code_point(line.substr(at, part.size)) : kReplacement);
    at += part.size;
  }
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/text_parts.h"

namespace gloss {

std::size_t part_size(std::string_view text, std::string_view space) {
  if (text.size() <= kLongestPart) return text.size();
  std::size_t size = text.rfind(space, kLongestPart);
  if (size == std::string_view::npos) size = 0;
  // The next part begins with all spaces: those at the end of a text may be ignored.
  while (size > 0 && text.substr(0, size).ends_with(space)) size -= space.size();
  if (size > 0) return size;
  size = kLongestPart;
  while ((static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return size;
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/documents/white_space.h"

#include <algorithm>
#include <array>

namespace gloss {

ByteRange next_fixed_space(std::string_view text, std::size_t at) {
  constexpr std::array<std::string_view, 8> kSpaces{"&nbsp;", "&nbsp",    "&#160;",  "&#xA0;",
                                                    "&#xa0;", "\xC2\xA0", "&#8239;", "\xE2\x80\xAF"};
  ByteRange first{text.size(), text.size()};
  for (const std::string_view space : kSpaces) {
    const std::size_t found =
        text.substr(0, std::min(text.size(), first.begin + space.size())).find(space, at);
    if (found < first.begin) first = {found, found + space.size()};
  }
  return first;
}

}  // namespace gloss

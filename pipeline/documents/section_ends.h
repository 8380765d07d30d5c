// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>

#include "base/text.h"

namespace gloss {

inline constexpr std::string_view kSectionBegin = "<![CDATA[", kSectionEnd = "]]>";

/// Whether some bytes of an XML document begin and end inside a CDATA section.
struct SectionEnds {
  bool begin = false, end = false;
};

/// Text in place of such bytes, outside of the section: that ends before the text and begins again after it.
inline std::string outside_section(std::string_view text, SectionEnds ends) {
  return concat(ends.begin ? kSectionEnd : "", text, ends.end ? kSectionBegin : "");
}

}  // namespace gloss

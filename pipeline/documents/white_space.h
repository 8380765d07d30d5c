// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <string_view>

#include "base/byte_range.h"

namespace gloss {

/// The white space of HTML and XML, with '\n'.
inline constexpr std::string_view kDocumentSpace = " \t\n\r\v\f";

/// The text without white space around it; it is a part of the text.
constexpr std::string_view without_space_around(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kDocumentSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kDocumentSpace) + 1);
}

/// The next space in HTML or XML, from `at` on, at which lines do not break, such as "&nbsp;"; empty, at the
/// end of the text, if there is none.
ByteRange next_fixed_space(std::string_view text, std::size_t at);

}  // namespace gloss

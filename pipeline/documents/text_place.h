// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"

namespace gloss {

/// "NAME:LINE:COLUMN" of a byte in a document, for messages. Columns count bytes from 1.
inline std::string text_place(const std::string& name, std::string_view document, std::size_t byte) {
  const std::string_view before = document.substr(0, byte);
  const std::size_t line = before.rfind('\n') + 1;  // 0: there is none
  return concat(name, ":", std::ranges::count(before, '\n') + 1, ":", before.size() - line + 1);
}

}  // namespace gloss

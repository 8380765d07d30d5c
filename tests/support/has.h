// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

namespace gloss {

/// True if `part` occurs in `text`.
inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace gloss

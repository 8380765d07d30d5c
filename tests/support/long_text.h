// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/random.h"

namespace gloss {

/// 5,000 lines of up to 89 random letters.
inline std::string long_text() {
  Random random(1);
  std::string text;
  for (int line = 0; line < 5000; ++line) {
    for (std::uint64_t i = random.below(90); i > 0; --i) text += static_cast<char>('a' + random.below(26));
    text += '\n';
  }
  return text;
}

}  // namespace gloss

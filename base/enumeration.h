// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/text.h"

namespace gloss {

/// Names as in a sentence: "A", "A and B", "A, B and C".
inline std::string enumeration(std::vector<std::string> names) {
  if (names.size() < 2) return join(names, "");
  const std::string last = names.back();
  names.pop_back();
  return concat(join(names, ", "), " and ", last);
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/text.h"

namespace gloss {

/// Names as in a sentence: "A", "A and B", "A, B and C", or with another word before the last one.
inline std::string enumeration(std::vector<std::string> names, const std::string& before_last = "and") {
  if (names.size() < 2) return join(names, "");
  const std::string last = names.back();
  names.pop_back();
  return concat(join(names, ", "), " ", before_last, " ", last);
}

}  // namespace gloss

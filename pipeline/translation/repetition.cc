// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/repetition.h"

#include <algorithm>
#include <cstddef>

namespace gloss {

int phrase_repeats(std::span<const TokenId> tokens) {
  constexpr std::size_t kTimes = 4;
  std::size_t most = 0;
  for (std::size_t size = 1; kTimes * size <= tokens.size(); ++size) {
    std::size_t same = 0, longest = 0;  // tokens in a row that are equal to those `size` places before
    for (std::size_t place = size; place < tokens.size(); ++place) {
      same = tokens[place] == tokens[place - size] ? same + 1 : 0;
      longest = std::max(longest, same);
    }
    most = std::max(most, longest / size + 1);
  }
  return most < kTimes ? 0 : static_cast<int>(most);
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/repetition.h"

#include <cstddef>

namespace gloss {

bool repeats_a_phrase(std::span<const TokenId> tokens) {
  constexpr std::size_t kTimes = 4;
  for (std::size_t size = 1; kTimes * size <= tokens.size(); ++size) {
    std::size_t same = 0;  // tokens in a row that are equal to those `size` places before
    for (std::size_t place = size; place < tokens.size(); ++place) {
      same = tokens[place] == tokens[place - size] ? same + 1 : 0;
      if (same == (kTimes - 1) * size) return true;
    }
  }
  return false;
}

}  // namespace gloss

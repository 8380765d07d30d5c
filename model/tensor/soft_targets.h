// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

namespace gloss {

/// Several tokens for each row of a loss, with their shares of its target, which sum to 1: such as the most
/// probable tokens of another model.
struct SoftTargets {
  int per_row = 0;                   ///< 0: none
  std::vector<std::int32_t> tokens;  ///< [rows, per_row]
  std::vector<float> shares;         ///< [rows, per_row]
};

}  // namespace gloss

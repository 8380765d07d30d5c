// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

namespace gloss {

/// Which elements dropout keeps: element i of an array is kept if a hash of (key, i) is at least `threshold`.
/// The same key gives the same mask, so masks are recomputed and never stored.
struct DropoutMask {
  std::uint64_t key = 0;
  std::uint32_t threshold = 0;  ///< 0 keeps all
  float scale = 1.0f;           ///< factor of the kept elements: 1 / (1 - rate)
};

}  // namespace gloss

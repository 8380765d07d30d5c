// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "base/random.h"

namespace gloss {

/// The purposes of the random numbers that a training derives from its seed. The values must not change, so
/// that the same seed gives the same training.
enum class RandomPurpose : std::uint64_t { batches = 1, updates = 2, weights = 3, order = 4, examples = 5 };

/// The random generator for a purpose.
inline Random random_for(std::int64_t seed, RandomPurpose purpose) {
  return Random(static_cast<std::uint64_t>(seed)).derive(static_cast<std::uint64_t>(purpose));
}

}  // namespace gloss

#pragma once

#include <cstdint>

#include "base/random.h"

namespace gloss {

/// What a training derives random numbers for from its seed. Values stay as they are, so that the same seed
/// gives the same training.
enum class RandomPurpose : std::uint64_t { batches = 1, updates = 2, weights = 3, order = 4, examples = 5 };

/// The generator of a training's seed for a purpose.
inline Random random_for(std::int64_t seed, RandomPurpose purpose) {
  return Random(static_cast<std::uint64_t>(seed)).derive(static_cast<std::uint64_t>(purpose));
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "base/random.h"

#include <cmath>
#include <numbers>

namespace gloss {

std::uint64_t Random::below(std::uint64_t limit) {
  // Rejects the lowest 2^64 mod limit values; without that, small results would be more likely.
  const std::uint64_t rejected = (0 - limit) % limit;
  while (true) {
    const std::uint64_t value = bits();
    if (value >= rejected) return value % limit;
  }
}

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace gloss

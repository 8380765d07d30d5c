// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <cstdint>

namespace gloss {

/// The count 1 in fixed point: sums of expected counts are exact, so they do not depend on their order.
inline constexpr double kCountOfOne = 1 << 20;

/// Adds an expected count. Several threads may add to the same sum.
inline void add_count(std::uint64_t& sum, double expected) {
  const auto count = static_cast<std::uint64_t>(expected * kCountOfOne + 0.5);
  if (count > 0) std::atomic_ref(sum).fetch_add(count, std::memory_order_relaxed);
}

}  // namespace gloss

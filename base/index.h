// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <concepts>
#include <cstddef>

namespace gloss {

/// A whole number, which must not be negative, as an index or size of the standard library.
template <std::integral Integer>
constexpr std::size_t index(Integer i) {
  return static_cast<std::size_t>(i);
}

}  // namespace gloss

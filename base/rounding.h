// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <type_traits>

namespace gloss {

/// count / size, rounded up.
template <class Count>
constexpr Count ceil_div(Count count, std::type_identity_t<Count> size) {
  return (count + size - 1) / size;
}

/// The smallest multiple of `multiple` that is at least `count`.
template <class Count>
constexpr Count round_up(Count count, std::type_identity_t<Count> multiple) {
  return ceil_div(count, multiple) * multiple;
}

}  // namespace gloss

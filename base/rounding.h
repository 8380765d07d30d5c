#pragma once

#include <type_traits>

namespace gloss {

/// How many parts of `size` it takes to hold `count`.
template <class Count>
constexpr Count ceil_div(Count count, std::type_identity_t<Count> size) {
  return (count + size - 1) / size;
}

/// The smallest multiple that holds `count`.
template <class Count>
constexpr Count round_up(Count count, std::type_identity_t<Count> multiple) {
  return ceil_div(count, multiple) * multiple;
}

}  // namespace gloss

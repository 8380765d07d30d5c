// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace gloss {

/// The logarithm of 0.
inline constexpr double kLogOfZero = -std::numeric_limits<double>::infinity();

/// log(exp(a) + exp(b)).
inline double log_add(double a, double b) {
  const double most = std::max(a, b);
  return most == kLogOfZero ? kLogOfZero : most + std::log1p(std::exp(std::min(a, b) - most));
}

}  // namespace gloss

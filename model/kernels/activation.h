// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "model/kernels/dropout_mask.h"

namespace gloss {

/// max(x, 0); x · Φ(x) with the normal distribution Φ, in its tanh approximation or exactly (Hendrycks and
/// Gimpel 2016); x · logistic(x) (Ramachandran et al. 2017); logistic(x).
enum class Activation { relu, gelu, gelu_exact, swish, sigmoid };
constexpr int kActivations = 5;

/// y = dropout(activation(x)), for `count` elements.
template <class Number>
struct Activated {
  const Number* x;
  Number* y;
  DropoutMask dropout;
  std::int64_t first;  ///< index of the first element in the whole array
  std::int64_t count;
};

/// The gradient of an Activated.
template <class Number>
struct ActivatedGradient {
  const Number* gradient;  ///< gradient of y
  const Number* x;
  Number* x_gradient;
  bool accumulate;  ///< adds to `x_gradient` instead of writing it
  DropoutMask dropout;
  std::int64_t first;  ///< index of the first element in the whole array
  std::int64_t count;
};

/// y [rows, width] = dropout(activation(gate) * inner). A row of x has `width` elements of the gate, then
/// those of the inner part (Dauphin et al. 2017). Dropout indices count elements of y.
template <class Number>
struct GatedRows {
  const Number* x;
  Number* y;
  DropoutMask dropout;
};

/// The gradient of GatedRows.
template <class Number>
struct GatedRowsGradient {
  const Number* gradient;  ///< gradient of y
  const Number* x;
  Number* x_gradient;
  bool accumulate;  ///< adds to `x_gradient` instead of writing it
  DropoutMask dropout;
};

}  // namespace gloss

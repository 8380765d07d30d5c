// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

// Operands of the attention of recurrent networks. Kernels compute one head of one sentence at a time.
// Strides count elements from one row to the next.

namespace gloss {

/// One head that scores keys by dot products or by a small network.
template <class Number>
struct ScoredHead {
  const Number* queries;  ///< [query_count, key_width]
  const Number* keys;     ///< [key_count, key_width]
  std::int64_t query_stride, key_stride;
  std::int64_t query_count, key_count, key_width;
  float scale;            ///< multiplies dot products
  const float* vector;    ///< [key_width], additive scores (Bahdanau et al. 2015); null: dot products
  const float* seen;      ///< [query_count, key_count]: coverage of each key before each query; null: none
  const float* coverage;  ///< [key_width]: multiplied by `seen` and added to keys; null: none
  const float*
      centres;  ///< [query_count]: centre of each query's window, as a key position; null: no windows
  float reach;  ///< of windows: keys at most this far from the centre are visible
  float inverse_spread;  ///< subtracts (distance * inverse_spread)^2 / 2 from scores; 0: nothing
};

/// Gradients of a ScoredHead's operands, contiguous; kernels add to them.
struct ScoredHeadGradient {
  float* queries;   ///< [query_count, key_width]
  float* keys;      ///< [key_count, key_width]
  float* vector;    ///< [key_width]; null if the head has none
  float* coverage;  ///< [key_width]; null if the head has none
  float* seen;      ///< [query_count, key_count]; null if not requested
  float* centres;   ///< [query_count]; null if not requested
};

/// One head's values and their weights.
template <class Number>
struct MixedHead {
  const Number* values;  ///< [key_count, width]
  std::int64_t stride;   ///< stride of the values
  std::int64_t query_count, key_count, width;
  const float* weights;  ///< [query_count, key_count]
};

}  // namespace gloss

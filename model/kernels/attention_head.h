// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "model/kernels/dropout_mask.h"

// Operands of scaled dot-product attention (Vaswani et al. 2017). Kernels compute one head of one sentence at
// a time, or all heads of some rows during decoding. Strides count elements from one row to the next.

namespace gloss {

/// Values added to the scores of self-attention, chosen by the distance from query to key.
struct DistanceScores {
  const float* numbers = nullptr;  ///< [2 * reach + 1]; null: nothing is added
  std::int64_t reach = 0;  ///< key j of query i gets element j - i + reach, clamped to the first or last
  /// Of the grid whose places are queries and keys, row by row; 0: a text. In a grid, key j of query i gets
  /// element (row j - row i) * (2 * columns - 1) + column j - column i + reach: each offset its own.
  std::int64_t columns = 0;
};

/// One head of attention over a sentence.
template <class Number>
struct AttentionHead {
  const Number* queries;  ///< [query_count, head_width]
  const Number* keys;     ///< [key_count, head_width]
  const Number* values;   ///< [key_count, head_width]
  std::int64_t query_stride, key_stride, value_stride;
  std::int64_t query_count, key_count, head_width;
  float scale;              ///< multiplies the scores
  bool causal;              ///< query i sees keys 0 .. i
  std::int64_t window = 0;  ///< above 0: query i sees keys i - window .. i + window only
  DropoutMask dropout;
  std::int64_t dropout_start;  ///< of weight (0, 0); weight (i, j) has start + i * key_count + j
  DistanceScores distances;
};

/// Further inputs of the gradient of an AttentionHead, and its results.
template <class Number>
struct AttentionHeadGradient {
  const Number* result;           ///< [query_count, head_width] of the forward pass
  const Number* result_gradient;  ///< [query_count, head_width]
  std::int64_t result_stride;     ///< of both
  const float* log_sums;          ///< [query_count] from the forward pass
  Number* queries;                ///< gradients, with the strides of the operands
  Number* keys;
  Number* values;
  bool accumulate_queries;      ///< adds to `queries` instead of writing it
  bool accumulate_keys_values;  ///< adds to `keys` and `values` instead of writing them
  float* distances;             ///< [2 * reach + 1], added to; null: not requested
};

/// Query rows during decoding, over all heads. Row r attends to the rows that keys[starts[r]] ..
/// keys[starts[r + 1] - 1] point at: each holds the keys of all its heads, followed by their values. Head h
/// of the queries attends to head h * key_value_heads / heads of the keys.
template <class Number>
struct AttendedRows {
  const Number* queries;  ///< [rows, at least heads * head_width]
  std::int64_t query_stride;
  const void* const* keys;
  const int* starts;  ///< [rows + 1]
  std::int64_t rows, heads, key_value_heads, head_width;
  float scale;               ///< multiplies the scores
  DistanceScores distances;  ///< [heads, 2 * reach + 1]; the position of a query is that of its last key
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

namespace gloss {

/// Converts sums of int8 products to results:
/// y = (sums + offset of the column) * scale of the row * scale of the column + bias.
template <class Number>
struct Int8Sums {
  const std::int32_t* sums;            ///< [rows, columns]
  const float* row_scales;             ///< [rows]
  const float* column_scales;          ///< [columns]
  const std::int32_t* column_offsets;  ///< [columns]
  const float* bias;                   ///< [columns]; null: none
  bool relu;                           ///< negative results become 0
  Number* y;                           ///< [rows, columns]
  std::int64_t y_stride;               ///< elements from one row of y to the next
  std::int64_t rows, columns;
};

}  // namespace gloss

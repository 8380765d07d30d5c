// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>

namespace gloss {

// Products of rows of x, quantised to int8, with int8 weights. An instruction set stores both operands as its
// instructions need them, so x is quantised and weights are packed by the kernels that multiply them. Sums
// are exact: all instruction sets give the same integers.

/// Inputs that are multiplied and added in one step.
constexpr std::int64_t kInt8Group = 4;

/// The number of groups that hold `in` inputs, the last of them filled with zeros.
constexpr std::int64_t int8_groups(std::int64_t in) { return (in + kInt8Group - 1) / kInt8Group; }

/// The form in which an instruction set stores the operands.
struct Int8Layout {
  std::int64_t panel;        ///< outputs that lie together in packed weights; the last panel is filled up
  std::int64_t input_bytes;  ///< bytes of an input in a quantised row

  std::size_t row_bytes(std::int64_t in) const {
    return static_cast<std::size_t>(int8_groups(in) * kInt8Group * input_bytes);
  }
  std::size_t packed_bytes(std::int64_t out, std::int64_t in) const {
    return static_cast<std::size_t>((out + panel - 1) / panel * panel * int8_groups(in) * kInt8Group);
  }
};

/// Quantised rows: x ≈ integer * scale of its row, with integers of -127 to 127.
struct Int8Rows {
  std::uint8_t* numbers;  ///< rows * row_bytes(in) bytes
  float* scales;          ///< [rows]; NaN for a row with a NaN or an infinity
  std::int32_t* offsets;  ///< [rows], what the instruction set adds to each sum of the row
  std::int64_t rows, in;
};

/// y = (sum of the products of the integers) * scale of the row * scale of the column + bias.
template <class Number>
struct Int8Product {
  Int8Rows x;
  const std::int8_t* weights;  ///< packed; starts with a panel
  const float* column_scales;  ///< [columns]
  const float* bias;           ///< [columns]; null: none
  bool relu;                   ///< negative results become 0
  Number* y;                   ///< [rows, columns]
  std::int64_t y_stride;       ///< elements from one row of y to the next
  std::int64_t columns;
};

}  // namespace gloss

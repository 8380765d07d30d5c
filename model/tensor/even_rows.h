// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <cstring>

#include "base/index.h"
#include "base/rounding.h"
#include "model/tensor/pooled_memory.h"

namespace gloss {

// oneDNN's kernels for AVX-512 give a row of a product the same bits in any product of two or more rows. Its
// f32 kernel for AVX2 does not: it multiplies 6 rows at a time and adds the products of the remaining rows in
// another order, and from 264 rows on it may be another kernel. Without AVX-512, products are therefore
// computed in blocks of at most kEvenBlock rows, each a multiple of kEvenUnit, the last padded with zeros.
constexpr std::int64_t kEvenBlock = 48;  // rows that the AVX2 kernel keeps in the cache together
constexpr std::int64_t kEvenUnit = 6;

/// The distance of rows of `width` numbers (f32) at which they spread over the cache: an odd number of its
/// lines. The AVX2 kernel is half as fast on rows a multiple of a page apart, which share few lines.
constexpr std::int64_t spread_stride(std::int64_t width) {
  constexpr std::int64_t kLine = 16;
  return (ceil_div(width, kLine) | 1) * kLine;
}

/// The rows of a block and the size of a row of its operands, in bytes.
struct EvenRows {
  std::int64_t count = 0;  ///< at most kEvenBlock
  std::size_t x_row = 0, y_row = 0;
  bool accumulate = false;  ///< the product adds to y
};

/// Calls `multiply(rows, x, y)` for a multiple of kEvenUnit rows: those at `x` and `y`, or padded copies.
template <class Multiply>
void multiply_even_rows(const EvenRows& block, const void* x, void* y, Multiply multiply) {
  const std::int64_t rows = round_up(block.count, kEvenUnit);
  if (rows == block.count) return multiply(rows, x, y);
  const PooledMemory padded_x(index(rows) * block.x_row), padded_y(index(rows) * block.y_row);
  const auto fill = [&](const PooledMemory& padded, const void* from, std::size_t row_bytes) {
    auto* const to = static_cast<char*>(padded.data());
    std::memcpy(to, from, index(block.count) * row_bytes);
    std::memset(to + index(block.count) * row_bytes, 0, index(rows - block.count) * row_bytes);
  };
  fill(padded_x, x, block.x_row);
  if (block.accumulate) fill(padded_y, y, block.y_row);
  multiply(rows, padded_x.data(), padded_y.data());
  std::memcpy(y, padded_y.data(), index(block.count) * block.y_row);
}

}  // namespace gloss

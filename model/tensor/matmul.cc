// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/matmul.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/index.h"
#include "model/tensor/even_rows.h"
#include "model/tensor/onednn.h"
#include "model/tensor/operation_threads.h"

namespace gloss {
namespace {

// Threads share the rows of C in units of this many rows.
constexpr std::int64_t kRowUnit = 64;
// A transposed A is multiplied in panels of this many rows of C, whatever the number of threads: the way
// oneDNN splits the long sums over k depends on the shape.
constexpr std::int64_t kTransposedPanel = 256;

/// The shape of one primitive: `rows` rows of C. `b_stride` and `c_stride` are the distances of the stored
/// rows of B and of C.
struct MatmulKey {
  MatmulShape shape;
  std::int64_t rows;
  std::int64_t b_stride = shape.transpose_b ? shape.k : shape.n;
  std::int64_t c_stride = shape.n;
  bool operator==(const MatmulKey&) const = default;

  std::array<std::int64_t, 7> parts() const {
    const int flags = shape.transpose_a + 2 * shape.transpose_b + 4 * shape.bias + 8 * shape.accumulate +
                      16 * (shape.type == DType::bf16) + 32 * (shape.result == DType::bf16);
    return {rows, b_stride, c_stride, shape.m, shape.n, shape.k, flags};
  }
};

dnnl::memory::desc matrix(std::int64_t rows, std::int64_t columns, DType type,
                          const dnnl::memory::dims& strides) {
  return {{rows, columns}, onednn::data_type(type), strides};
}

dnnl::matmul::primitive_desc describe(const MatmulKey& key) {
  using Strides = dnnl::memory::dims;
  const MatmulShape& s = key.shape;
  return onednn::describe(
      matrix(key.rows, s.k, s.type, s.transpose_a ? Strides{1, s.m} : Strides{s.k, 1}),
      matrix(s.k, s.n, s.type, s.transpose_b ? Strides{1, key.b_stride} : Strides{key.b_stride, 1}),
      matrix(key.rows, s.n, s.result, {key.c_stride, 1}), {s.bias, s.accumulate});
}

/// Operands of some rows of C.
struct MatmulOperands {
  const void *a, *b;
  void* c;
  const float* bias;
};

MatmulOperands from_row(const MatmulShape& shape, const MatmulOperands& whole, std::int64_t row) {
  const std::int64_t skipped = shape.transpose_a ? row : row * shape.k;
  return {static_cast<const char*>(whole.a) + index(skipped) * size_of(shape.type), whole.b,
          static_cast<char*>(whole.c) + index(row * shape.n) * size_of(shape.result), whole.bias};
}

void multiply(const MatmulKey& key, const MatmulOperands& operands) {
  try {
    onednn::product_for(key, key.shape.bias, [&] { return describe(key); })(operands.a, operands.b,
                                                                            operands.c, operands.bias);
  } catch (const dnnl::error& error) {
    onednn::fail(error,
                 concat("multiply ", key.rows, " x ", key.shape.k, " by ", key.shape.k, " x ", key.shape.n));
  }
}

/// See even_rows.h.
void multiply_evenly(const MatmulShape& shape, MatmulOperands whole) {
  std::int64_t b_stride = shape.transpose_b ? shape.k : shape.n;
  PooledMemory spread;
  // For many rows, copying B to avoid rows that share few lines of the cache is faster; the bits are the
  // same.
  constexpr std::int64_t kManyRows = 512;
  if (!shape.transpose_b && shape.m >= kManyRows && shape.type == DType::f32) {
    b_stride = spread_stride(shape.n);
    spread = PooledMemory(index(shape.k * b_stride) * sizeof(float));
    const auto* const from = static_cast<const float*>(whole.b);
    auto* const to = static_cast<float*>(spread.data());
    parallel_ranges(shape.k, kManyRows, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t k = first; k < last; ++k) std::copy_n(from + k * shape.n, shape.n, to + k * b_stride);
    });
    whole.b = to;
  }
  const EvenRows rows{.x_row = index(shape.k) * size_of(shape.type),
                      .y_row = index(shape.n) * size_of(shape.result),
                      .accumulate = shape.accumulate};
  parallel_ranges(ceil_div(shape.m, kEvenBlock), 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first * kEvenBlock; row < std::min(shape.m, last * kEvenBlock);
         row += kEvenBlock) {
      EvenRows block = rows;
      block.count = std::min(kEvenBlock, shape.m - row);
      const MatmulOperands from = from_row(shape, whole, row);
      multiply_even_rows(block, from.a, from.c, [&](std::int64_t count, const void* a, void* c) {
        MatmulKey key{shape, count, b_stride};
        key.shape.m = count;  // one primitive for products of any number of rows
        multiply(key, {a, from.b, c, from.bias});
      });
    }
  });
}

/// Copies rows `first` .. `last` - 1 right of the diagonal to the same columns below it.
void mirror(float* c, std::int64_t side, std::int64_t first, std::int64_t last) {
  constexpr std::int64_t kColumns = 16;  // whose lines of the cache are read together
  for (; first < last; first += kColumns) {
    for (std::int64_t row = first + 1; row < side; ++row) {
      const std::int64_t end = std::min({row, last, first + kColumns});
      for (std::int64_t column = first; column < end; ++column) {
        c[row * side + column] = c[column * side + row];
      }
    }
  }
}

/// Multiplies each unit of rows by the columns from its first row on, whatever the number of threads.
void multiply_symmetric(const MatmulShape& shape, const MatmulOperands& whole) {
  expects(shape.m == shape.n && !shape.bias && shape.result == DType::f32, "matmul: a symmetric product is ",
          shape.m, " x ", shape.n);
  const std::int64_t side = shape.n, units = std::max<std::int64_t>(1, side / kRowUnit);
  parallel_ranges(units, 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t at = first; at < last; ++at) {
      const std::int64_t row = at * kRowUnit, end = at + 1 == units ? side : row + kRowUnit;
      MatmulKey key{shape, end - row, shape.transpose_b ? shape.k : side, side};
      key.shape.n = side - row;
      MatmulOperands of = from_row(shape, whole, row);
      of.b = static_cast<const char*>(whole.b) +
             index(shape.transpose_b ? row * shape.k : row) * size_of(shape.type);
      of.c = static_cast<float*>(of.c) + row;
      multiply(key, of);
      mirror(static_cast<float*>(whole.c), side, row, end);
    }
  });
}

}  // namespace

void matmul(const MatmulShape& shape, const void* a, const void* b, void* c, const float* bias) {
  expects(shape.m >= 2 && shape.n >= 1 && shape.k >= 1, "matmul of ", shape.m, " x ", shape.k, " by ",
          shape.k, " x ", shape.n);
  expects(shape.bias == (bias != nullptr), "matmul: a bias is required exactly if shape.bias is set");
  const MatmulOperands whole{a, b, c, bias};
  if (shape.symmetric) return multiply_symmetric(shape, whole);
  if (!shape.transpose_a && !onednn::rows_are_independent()) return multiply_evenly(shape, whole);
  const std::int64_t unit = shape.transpose_a ? kTransposedPanel : kRowUnit;
  // The last unit also takes the remaining rows, so that no unit has a single row.
  const std::int64_t units = std::max<std::int64_t>(1, shape.m / unit);
  const auto end_of = [&](std::int64_t count) { return count == units ? shape.m : count * unit; };
  parallel_ranges(units, 1, [&](std::int64_t first, std::int64_t last) {
    const std::int64_t step = shape.transpose_a ? 1 : last - first;
    for (std::int64_t at = first; at < last; at += step) {
      const std::int64_t row = at * unit;
      multiply({shape, end_of(at + step) - row}, from_row(shape, whole, row));
    }
  });
}

}  // namespace gloss

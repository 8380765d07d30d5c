// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/weight_product.h"

#include <algorithm>

#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/matmul.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/packed_matrix.h"
#include "model/tensor/pooled_memory.h"
#include "model/tensor/relu.h"

namespace gloss {
namespace {

void relu_of_all(DType type, void* numbers, std::int64_t count) {
  constexpr std::int64_t kGrain = 16384;  // minimum elements per thread; whole vectors
  parallel_ranges(count, kGrain, [&](std::int64_t first, std::int64_t last) {
    relu(type, static_cast<char*>(numbers) + index(first) * size_of(type), last - first);
  });
}

/// Rows of x [rows, width], each rounded to 8 bits.
PooledMemory rounded_rows(DType type, const void* x, std::int64_t rows, std::int64_t width) {
  constexpr std::int64_t kGrain = 64;  // minimum rows per thread
  PooledMemory memory(index(rows * width) * size_of(type));
  for_dtype(type, [&]<class Number>() {
    auto* const to = static_cast<Number*>(memory.data());
    parallel_ranges(rows, kGrain, [&](std::int64_t first, std::int64_t last) {
      kernels().of<Number>().round_rows(static_cast<const Number*>(x) + first * width, to + first * width,
                                        last - first, width);
    });
  });
  return memory;
}

}  // namespace

void multiply_by_weight(const WeightProduct& product, const void* x, const Tensor& weight, void* y) {
  const PackedMatrix* const packed = weight.packed();
  if (packed == nullptr) {
    PooledMemory rounded;
    if (weight.rounds_inputs()) {
      rounded = rounded_rows(product.type, x, product.rows, weight.columns());
      x = rounded.data();
    }
    matmul({.m = product.rows,
            .n = weight.rows(),
            .k = weight.columns(),
            .transpose_b = true,
            .bias = product.bias != nullptr,
            .type = product.type,
            .result = product.result},
           x, weight.as(product.type).raw(), y, product.bias);
    if (product.relu) relu_of_all(product.result, y, product.rows * weight.rows());
    return;
  }
  constexpr std::int64_t kUnit = 64;  // minimum rows per thread; the last range also takes the remainder
  const std::int64_t units = std::max<std::int64_t>(1, product.rows / kUnit);
  const auto row_of = [&](std::int64_t unit) { return unit == units ? product.rows : unit * kUnit; };
  const auto x_row = index(packed->in()) * size_of(product.type),
             y_row = index(packed->out()) * size_of(product.result);
  parallel_ranges(units, 1, [&](std::int64_t first, std::int64_t last) {
    const auto row = index(row_of(first));
    packed->multiply({.rows = row_of(last) - row_of(first),
                      .bias = product.bias,
                      .relu = product.relu,
                      .type = product.type,
                      .result = product.result},
                     static_cast<const char*>(x) + row * x_row, static_cast<char*>(y) + row * y_row);
  });
}

}  // namespace gloss

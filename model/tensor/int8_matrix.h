// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

#include "model/kernels/int8_product.h"
#include "model/tensor/pooled_memory.h"
#include "model/tensor/stored_matrix.h"

namespace gloss {

/// Rows of x [rows, in], quantised for products with an Int8Matrix.
class QuantisedRows {
 public:
  /// `type` is that of x: f32 or bf16.
  QuantisedRows(DType type, const void* x, std::int64_t rows, std::int64_t in);

  const Int8Rows& rows() const { return rows_; }

 private:
  PooledMemory memory_;
  Int8Rows rows_;
};

/// An int8 matrix [out, in], packed for the kernels in use.
class Int8Matrix {
 public:
  explicit Int8Matrix(const StoredMatrix&);

  /// The outputs of a product that are computed, and the operations on them.
  struct Outputs {
    std::int64_t first = 0, count = 0;  ///< first: a multiple of kScorePanel
    const float* bias = nullptr;        ///< [out]; null: none
    bool relu = false;
    DType type = DType::f32;    ///< of y
    std::int64_t y_stride = 0;  ///< numbers from one row of y to the next
  };
  /// y [rows, count] = outputs first .. first + count - 1 of x · weightᵀ.
  void multiply(const QuantisedRows& x, const Outputs&, void* y) const;

 private:
  std::int64_t in_;
  PooledMemory weights_;
  std::vector<float> scales_;  // of each output
};

}  // namespace gloss

#pragma once

#include <cstdint>

#include "model/tensor/dtype.h"

namespace gloss {

/// A product of row-major matrices, as BLAS's gemm: C [m, n] = A · B, where A is [m, k], or stored [k, m] if
/// `transpose_a`, and B is [k, n], or stored [n, k] if `transpose_b`.
struct MatmulShape {
  std::int64_t m = 0, n = 0, k = 0;
  bool transpose_a = false;
  bool transpose_b = false;
  bool bias = false;          ///< adds a row of n numbers (f32) to every row of the result
  bool relu = false;          ///< negative results become 0
  bool accumulate = false;    ///< adds to what C holds
  DType type = DType::f32;    ///< of A and B
  DType result = DType::f32;  ///< of C; bf16 only for products of bf16
  bool operator==(const MatmulShape&) const = default;
};

/// Multiplies with oneDNN; sums are f32. m is at least 2: a row's result does not depend on the other rows
/// from there on. Primitives are kept per thread and shape. The threads of the operation share the rows of C;
/// the result does not depend on their number.
void matmul(const MatmulShape& shape, const void* a, const void* b, void* c, const float* bias = nullptr);

/// True if oneDNN multiplies this type on this processor.
bool can_multiply(DType);

/// How many primitives the calling thread has made: work that has seen all its shapes makes no more.
std::int64_t matmul_primitives_made();

}  // namespace gloss

#pragma once

#include <cstdint>

namespace gloss {

/// A product of row-major matrices, as BLAS's gemm: C [m, n] = A · B, where A is [m, k], or stored [k, m] if
/// `transpose_a`, and B is [k, n], or stored [n, k] if `transpose_b`.
struct MatmulShape {
  std::int64_t m = 0, n = 0, k = 0;
  bool transpose_a = false;
  bool transpose_b = false;
  bool bias = false;        ///< adds a row of n numbers to every row of the result
  bool accumulate = false;  ///< adds to what C holds
  bool operator==(const MatmulShape&) const = default;
};

/// Multiplies with oneDNN. m is at least 2: a row's result does not depend on the other rows from there on.
/// Primitives are kept per thread and shape. With `transpose_a`, the last bits may depend on the number of
/// threads.
void matmul(const MatmulShape& shape, const float* a, const float* b, float* c, const float* bias = nullptr);

/// How many primitives the calling thread has made: work that has seen all its shapes makes no more.
std::int64_t matmul_primitives_made();

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

#include "model/kernels/dtype.h"

namespace gloss {

/// A product of row-major matrices, like BLAS's gemm: C [m, n] = A · B. A is [m, k], or [k, m] if
/// `transpose_a`; B is [k, n], or [n, k] if `transpose_b`.
struct MatmulShape {
  std::int64_t m = 0, n = 0, k = 0;
  bool transpose_a = false;
  bool transpose_b = false;
  bool bias = false;          ///< adds a row of n elements (f32) to every row of the result
  bool accumulate = false;    ///< adds to C instead of writing it
  bool symmetric = false;     ///< C is symmetric, in f32: about half of it is computed, the rest copied
  DType type = DType::f32;    ///< of A and B
  DType result = DType::f32;  ///< of C; bf16 only for products of bf16
  bool operator==(const MatmulShape&) const = default;
};

/// Multiplies with oneDNN; sums are f32. m is at least 2: from there on, a row's result does not depend on
/// the other rows, unless C is symmetric. Each thread caches primitives by shape. The threads of the
/// operation share the rows of C; the result does not depend on their number.
void matmul(const MatmulShape& shape, const void* a, const void* b, void* c, const float* bias = nullptr);

/// Number of primitives the calling thread has created: constant once all shapes have occurred.
std::int64_t matmul_primitives_made();

/// The version of oneDNN, such as "2.6.3".
std::string onednn_version();
/// The instruction set that oneDNN uses, as it names it, such as "avx512_core_bf16".
std::string onednn_instruction_set();

}  // namespace gloss

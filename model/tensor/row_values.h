// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstring>
#include <span>

#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/stored_matrix.h"
#include "model/tensor/tensor.h"

namespace gloss {

/// Copies a row of an f32 or bf16 tensor to f32 numbers.
inline void read_row(const Tensor& x, std::int64_t row, std::span<float> to) {
  widen_row(x.stored(), row, to.data());
}

/// Writes f32 numbers to a row of an f32 or bf16 tensor.
inline void write_row(std::span<const float> from, const Tensor& x, std::int64_t row) {
  if (x.dtype() == DType::bf16) {
    kernels().narrow(from.data(), static_cast<Bf16*>(x.raw_row(row)), x.columns());
  } else {
    std::memcpy(x.raw_row(row), from.data(), from.size_bytes());
  }
}

}  // namespace gloss

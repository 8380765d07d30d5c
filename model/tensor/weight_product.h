// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "model/tensor/tensor.h"

namespace gloss {

/// A product of some rows with a weight matrix.
struct WeightProduct {
  std::int64_t rows = 0;        ///< at least 2
  DType type = DType::f32;      ///< of x
  DType result = DType::f32;    ///< of y
  const float* bias = nullptr;  ///< [out]; null: none
  bool relu = false;            ///< negative results become 0
};

/// y [rows, out] = x [rows, in] · weightᵀ + bias, with the weight's packed form if present, otherwise with
/// the stored values or their copy; rounds x if the weight says so (Tensor::round_inputs). A row's result
/// depends neither on other rows nor on the number of threads.
void multiply_by_weight(const WeightProduct&, const void* x, const Tensor& weight, void* y);

}  // namespace gloss

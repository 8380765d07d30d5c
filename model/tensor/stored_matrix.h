#pragma once

#include <cstdint>
#include <vector>

#include "model/tensor/dtype.h"

namespace gloss {

/// Numbers of a matrix as they are stored: f32, bf16, or int8 with a scale for each row.
struct StoredMatrix {
  DType type = DType::f32;
  const void* numbers = nullptr;  ///< [rows, columns]
  const float* scales = nullptr;  ///< [rows] of int8: number times scale is the value
  std::int64_t rows = 0, columns = 0;
};
/// Writes row `row` as f32.
void widen_row(const StoredMatrix&, std::int64_t row, float* to);
/// The same, with the numbers that the row would have if it were stored as `type`.
void widen_row_as(DType type, const StoredMatrix&, std::int64_t row, float* to);

/// A matrix in int8 with a scale for each row: the largest of a row becomes ±127 (symmetric quantisation).
struct QuantisedMatrix {
  std::vector<std::int8_t> numbers;
  std::vector<float> scales;
};
QuantisedMatrix quantised(const StoredMatrix&);

}  // namespace gloss

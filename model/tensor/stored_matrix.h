// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/kernels/dtype.h"

namespace gloss {

/// A matrix in its storage type: f32, bf16, or int8 with a scale for each row.
struct StoredMatrix {
  DType type = DType::f32;
  const void* numbers = nullptr;  ///< [rows, columns]
  const float* scales = nullptr;  ///< [rows], int8 only: value = element * scale
  std::int64_t rows = 0, columns = 0;
  bool mapped = false;  ///< the numbers are pages of a file (MappedFile), which can be set aside
};
/// Writes row `row` as f32.
void widen_row(const StoredMatrix&, std::int64_t row, float* to);
/// The same, after rounding the row to `type`.
void widen_row_as(DType type, const StoredMatrix&, std::int64_t row, float* to);

/// A matrix converted to another type; refers to the given matrix if it has the type already. int8 uses one
/// scale per row that maps the largest magnitude to ±127 (symmetric quantisation).
class ConvertedMatrix {
 public:
  ConvertedMatrix(const StoredMatrix&, DType);

  /// Points into the given matrix or into this object, which may be moved.
  const StoredMatrix& matrix() const { return matrix_; }

 private:
  StoredMatrix matrix_;
  std::vector<std::byte> numbers_;
  std::vector<float> scales_;
};

}  // namespace gloss

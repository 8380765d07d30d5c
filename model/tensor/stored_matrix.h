// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/kernels/dtype.h"

namespace gloss {

/// A matrix in its storage type: f32, bf16, int8 with a scale for each row, or int4 with a scale for each
/// group of elements of a row (int4_groups.h).
struct StoredMatrix {
  DType type = DType::f32;
  const void* numbers = nullptr;  ///< [rows, columns], each row in `row_bytes(type, columns)` bytes
  const float* scales = nullptr;  ///< [rows], int8 only: value = element * scale
  std::int64_t rows = 0, columns = 0;
  bool mapped = false;  ///< the numbers are pages of a file (MappedFile), which can be set aside
  const Bf16* group_scales = nullptr;  ///< [rows, groups], int4 only

  std::size_t bytes() const { return static_cast<std::size_t>(rows) * row_bytes(type, columns); }
};
/// `count` rows of a matrix from row `first` on.
StoredMatrix rows_of(StoredMatrix, std::int64_t first, std::int64_t count);
/// Writes row `row` as f32.
void widen_row(const StoredMatrix&, std::int64_t row, float* to);
/// Rounds a row as storing it in `type` would.
void round_row(DType type, float* row, std::int64_t columns);
/// Writes row `row` as f32, after rounding it to `type`.
void widen_row_as(DType type, const StoredMatrix&, std::int64_t row, float* to);

/// A matrix converted to another type; refers to the given matrix if it has the type already. int8 uses one
/// scale per row that maps the largest magnitude to ±127 (symmetric quantisation), int4 one scale per group.
class ConvertedMatrix {
 public:
  ConvertedMatrix(const StoredMatrix&, DType);

  /// Points into the given matrix or into this object, which may be moved.
  const StoredMatrix& matrix() const { return matrix_; }

 private:
  StoredMatrix matrix_;
  std::vector<std::byte> numbers_;
  std::vector<float> scales_;
  std::vector<Bf16> group_scales_;
};

}  // namespace gloss

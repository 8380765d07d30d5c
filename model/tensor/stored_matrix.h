#pragma once

#include <cstddef>
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

/// A matrix as another type: that of the given one where it has the type already, or else made here. As int8
/// each row has a scale with which its largest number becomes ±127 (symmetric quantisation).
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

// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/stored_matrix.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/int4_groups.h"
#include "model/tensor/pooled_memory.h"

namespace gloss {

StoredMatrix rows_of(StoredMatrix matrix, std::int64_t first, std::int64_t count) {
  expects(first >= 0 && count >= 0 && first + count <= matrix.rows, "rows ", first, " to ", first + count,
          " of a matrix with ", matrix.rows);
  matrix.numbers =
      static_cast<const std::byte*>(matrix.numbers) + index(first) * row_bytes(matrix.type, matrix.columns);
  if (matrix.scales != nullptr) matrix.scales += first;
  if (matrix.group_scales != nullptr) matrix.group_scales += first * int4_groups(matrix.columns);
  matrix.rows = count;
  return matrix;
}

void widen_row(const StoredMatrix& matrix, std::int64_t row, float* to) {
  const std::int64_t at = row * matrix.columns;
  switch (matrix.type) {
    case DType::f32:
      std::copy_n(static_cast<const float*>(matrix.numbers) + at, matrix.columns, to);
      break;
    case DType::bf16:
      kernels().widen(static_cast<const Bf16*>(matrix.numbers) + at, to, matrix.columns);
      break;
    case DType::int8:
      kernels().dequantise(static_cast<const std::int8_t*>(matrix.numbers) + at, matrix.scales[row], to,
                           matrix.columns);
      break;
    case DType::int4:
      dequantise_int4({static_cast<const std::uint8_t*>(matrix.numbers) +
                           index(row) * row_bytes(DType::int4, matrix.columns),
                       matrix.group_scales + row * int4_groups(matrix.columns)},
                      {to, index(matrix.columns)});
      break;
  }
}

void round_row(DType type, float* row, std::int64_t columns) {
  if (type == DType::f32) return;
  const PooledMemory memory(row_bytes(type, columns));
  switch (type) {
    case DType::f32:
      break;
    case DType::bf16: {
      auto* const narrow = static_cast<Bf16*>(memory.data());
      kernels().narrow(row, narrow, columns);
      kernels().widen(narrow, row, columns);
      break;
    }
    case DType::int8: {
      auto* const small = static_cast<std::int8_t*>(memory.data());
      float scale = 0;
      kernels().quantise(row, small, &scale, columns);
      kernels().dequantise(small, scale, row, columns);
      break;
    }
    case DType::int4: {
      auto* const bytes = static_cast<std::uint8_t*>(memory.data());
      const PooledMemory group_scales(index(int4_groups(columns)) * sizeof(Bf16));
      auto* const scales = static_cast<Bf16*>(group_scales.data());
      quantise_int4({row, index(columns)}, bytes, scales);
      dequantise_int4({bytes, scales}, {row, index(columns)});
      break;
    }
  }
}

void widen_row_as(DType type, const StoredMatrix& matrix, std::int64_t row, float* to) {
  widen_row(matrix, row, to);
  if (type != matrix.type && type != DType::f32) round_row(type, to, matrix.columns);
}

ConvertedMatrix::ConvertedMatrix(const StoredMatrix& given, DType type) : matrix_(given) {
  if (type == given.type) return;
  const std::size_t bytes = row_bytes(type, given.columns);
  numbers_.resize(index(given.rows) * bytes);
  if (type == DType::int8) scales_.resize(index(given.rows));
  const std::int64_t groups = type == DType::int4 ? int4_groups(given.columns) : 0;
  group_scales_.resize(index(given.rows * groups));
  std::vector<float> wide(index(given.columns));
  for (std::int64_t r = 0; r < given.rows; ++r) {
    std::byte* const row = numbers_.data() + index(r) * bytes;
    widen_row(given, r, wide.data());
    switch (type) {
      case DType::f32:
        std::memcpy(row, wide.data(), wide.size() * sizeof(float));
        break;
      case DType::bf16:
        kernels().narrow(wide.data(), reinterpret_cast<Bf16*>(row), given.columns);
        break;
      case DType::int8:
        kernels().quantise(wide.data(), reinterpret_cast<std::int8_t*>(row), &scales_[index(r)],
                           given.columns);
        break;
      case DType::int4:
        quantise_int4(wide, reinterpret_cast<std::uint8_t*>(row), &group_scales_[index(r * groups)]);
        break;
    }
  }
  matrix_ = {.type = type,
             .numbers = numbers_.data(),
             .scales = scales_.empty() ? nullptr : scales_.data(),
             .rows = given.rows,
             .columns = given.columns,
             .group_scales = group_scales_.empty() ? nullptr : group_scales_.data()};
}

}  // namespace gloss

#include "model/tensor/stored_matrix.h"

#include <algorithm>

#include "model/tensor/kernels.h"

namespace gloss {

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
  }
}

void widen_row_as(DType type, const StoredMatrix& matrix, std::int64_t row, float* to) {
  widen_row(matrix, row, to);
  if (type == matrix.type || type == DType::f32) return;
  if (type == DType::bf16) {
    std::vector<Bf16> narrow(static_cast<std::size_t>(matrix.columns));
    kernels().narrow(to, narrow.data(), matrix.columns);
    kernels().widen(narrow.data(), to, matrix.columns);
  } else {
    std::vector<std::int8_t> small(static_cast<std::size_t>(matrix.columns));
    float scale = 0;
    kernels().quantise(to, small.data(), &scale, matrix.columns);
    kernels().dequantise(small.data(), scale, to, matrix.columns);
  }
}

QuantisedMatrix quantised(const StoredMatrix& matrix) {
  QuantisedMatrix made;
  made.numbers.resize(static_cast<std::size_t>(matrix.rows * matrix.columns));
  made.scales.resize(static_cast<std::size_t>(matrix.rows));
  std::vector<float> row(static_cast<std::size_t>(matrix.columns));
  for (std::int64_t r = 0; r < matrix.rows; ++r) {
    widen_row(matrix, r, row.data());
    kernels().quantise(row.data(), made.numbers.data() + r * matrix.columns, made.scales.data() + r,
                       matrix.columns);
  }
  return made;
}

}  // namespace gloss

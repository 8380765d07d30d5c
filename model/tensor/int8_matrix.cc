// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/int8_matrix.h"

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"

namespace gloss {

QuantisedRows::QuantisedRows(DType type, const void* x, std::int64_t rows, std::int64_t in)
    : memory_(index(rows) * (kernels().int8.row_bytes(in) + sizeof(float) + sizeof(std::int32_t))) {
  auto* const numbers = static_cast<std::uint8_t*>(memory_.data());
  auto* const scales = reinterpret_cast<float*>(numbers + index(rows) * kernels().int8.row_bytes(in));
  rows_ = {.numbers = numbers,
           .scales = scales,
           .offsets = reinterpret_cast<std::int32_t*>(scales + rows),
           .rows = rows,
           .in = in};
  for_dtype(type, [&]<class Number>() {
    kernels().of<Number>().quantise_rows(static_cast<const Number*>(x), rows_);
  });
}

Int8Matrix::Int8Matrix(const StoredMatrix& weight)
    : in_(weight.columns),
      weights_(kernels().int8.packed_bytes(weight.rows, weight.columns)),
      scales_(weight.scales, weight.scales + weight.rows) {
  expects(weight.type == DType::int8, "an int8 matrix of numbers in ", name_of(weight.type));
  kernels().pack_int8(static_cast<const std::int8_t*>(weight.numbers),
                      static_cast<std::int8_t*>(weights_.data()), weight.rows, weight.columns);
}

void Int8Matrix::multiply(const QuantisedRows& x, const Outputs& outputs, void* y) const {
  const std::int64_t first = outputs.first;
  expects(first % kernels().int8.panel == 0, "outputs from ", first, " on, within a panel");
  for_dtype(outputs.type, [&]<class Number>() {
    kernels().of<Number>().multiply_int8({.x = x.rows(),
                                          .weights = static_cast<const std::int8_t*>(weights_.data()) +
                                                     kernels().int8.packed_bytes(first, in_),
                                          .column_scales = scales_.data() + first,
                                          .bias = outputs.bias != nullptr ? outputs.bias + first : nullptr,
                                          .relu = outputs.relu,
                                          .y = static_cast<Number*>(y),
                                          .y_stride = outputs.y_stride,
                                          .columns = outputs.count});
  });
}

}  // namespace gloss

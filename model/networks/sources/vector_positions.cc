// SPDX-License-Identifier: Apache-2.0

#include "model/networks/sources/vector_positions.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "model/kernels/dtype.h"
#include "model/kernels/kernels.h"
#include "model/layers/initialisers.h"
#include "model/tensor/ops.h"

namespace gloss {

VectorPositions::VectorPositions(Parameters& parameters, Tables tables, int width, bool class_token)
    : tables_(std::move(tables)) {
  if (!class_token) return;
  class_ =
      parameters.declare("encoder.class", {1, width}, normal_values(1.0 / std::sqrt(width)), Role::table);
}

Tensor VectorPositions::operator()(Tensor vectors, const PackedRows& rows) const {
  const auto add = [&](const Tensor& more) { vectors = add_dropout(vectors, more, {}); };
  if (tables_.fixed) {
    Tensor positions = Tensor::zeros({vectors.rows(), vectors.columns()});
    for (std::size_t row = 0; row < index(rows.starts.back()); ++row) {
      std::copy_n(tables_.fixed.data() + rows.places[row] * vectors.columns(), vectors.columns(),
                  positions.data() + static_cast<std::int64_t>(row) * vectors.columns());
    }
    add(in_type(positions, vectors.dtype()));
  }
  std::vector<TokenId> places, classes;
  for (std::size_t row = 0; row < rows.tokens.size(); ++row) {
    const bool padding = rows.tokens[row] < 0;
    places.push_back(padding ? -1 : rows.places[row]);
    classes.push_back(padding || rows.places[row] > 0 ? -1 : 0);
  }
  if (tables_.learned) add(embed(tables_.learned, {}, places, rows.places, 1, {}));
  if (class_) add(embed(class_, {}, classes, rows.places, 1, {}));
  return vectors;
}

Tensor in_type(const Tensor& numbers, DType type) {
  if (type == DType::f32) return numbers;
  const Tensor narrow = Tensor::uninitialised(numbers.shape(), type);
  kernels().narrow(numbers.data(), narrow.data_as<Bf16>(), numbers.count());
  return narrow;
}

}  // namespace gloss

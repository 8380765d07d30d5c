// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/muon.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/index.h"
#include "model/tensor/matmul.h"

namespace gloss {
namespace {

/// The coefficients of the polynomial a x + b x^3 + c x^5 by which all singular values are mapped.
constexpr float kA = 3.4445F, kB = -4.7750F, kC = 2.0315F;
constexpr int kIterations = 5;

void scale_to_norm_one(std::vector<float>& matrix) {
  double squares = 0;
  for (const float x : matrix) squares += static_cast<double>(x) * x;
  const auto scale = static_cast<float>(1 / (std::sqrt(squares) + 1e-30));
  for (float& x : matrix) x *= scale;
}

}  // namespace

std::vector<MuonMatrix> muon_matrices(const WeightRange& parameter) {
  const std::string_view name = parameter.name;
  const bool hidden = name.starts_with("encoder.") || name.starts_with("decoder.");
  if (!hidden || parameter.shape.rank() != 2 || name.find("embedding") != std::string_view::npos ||
      name.find("position") != std::string_view::npos) {
    return {};
  }
  const std::int64_t rows = parameter.shape[0], columns = parameter.shape[1];
  if (rows < 2 || columns < 2) return {};
  const bool joined = name.find("key_value") != std::string_view::npos && rows % columns == 0;
  const std::int64_t part = joined ? columns : rows;
  std::vector<MuonMatrix> matrices;
  for (std::int64_t first = 0; first < rows; first += part) {
    matrices.push_back({parameter.begin + index(first * columns), part, columns});
  }
  return matrices;
}

void orthogonalise(std::vector<float>& matrix, std::int64_t rows, std::int64_t columns) {
  const bool tall = rows > columns;
  const std::int64_t side = std::min(rows, columns);
  const MatmulShape gram_shape = tall ? MatmulShape{.m = side, .n = side, .k = rows, .transpose_a = true}
                                      : MatmulShape{.m = side, .n = side, .k = columns, .transpose_b = true};
  const MatmulShape square_shape{.m = side, .n = side, .k = side};
  const MatmulShape product_shape{.m = rows, .n = columns, .k = side};
  std::vector<float> gram(index(side * side)), square(gram.size()), product(matrix.size());
  scale_to_norm_one(matrix);
  for (int i = 0; i < kIterations; ++i) {
    matmul(gram_shape, matrix.data(), matrix.data(), gram.data());
    matmul(square_shape, gram.data(), gram.data(), square.data());
    for (std::size_t at = 0; at < gram.size(); ++at) gram[at] = kB * gram[at] + kC * square[at];
    if (tall) {
      matmul(product_shape, matrix.data(), gram.data(), product.data());
    } else {
      matmul(product_shape, gram.data(), matrix.data(), product.data());
    }
    for (std::size_t at = 0; at < matrix.size(); ++at) matrix[at] = kA * matrix[at] + product[at];
  }
}

void muon_update(std::span<float> weights, std::span<const float> gradients, std::span<float> momentum,
                 const MuonMatrix& matrix, const MuonStep& step) {
  constexpr float kRootMeanSquare = 0.2F;
  std::vector<float> direction(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float gradient = gradients[i] * step.gradient_scale;
    momentum[i] = step.momentum * momentum[i] + (1 - step.momentum) * gradient;
    direction[i] = step.momentum * momentum[i] + (1 - step.momentum) * gradient;
  }
  orthogonalise(direction, matrix.rows, matrix.columns);
  const float size =
      step.rate * kRootMeanSquare * std::sqrt(static_cast<float>(std::max(matrix.rows, matrix.columns)));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] -= size * direction[i] + step.decay * weights[i];
  }
}

}  // namespace gloss

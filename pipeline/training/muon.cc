// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/muon.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/matmul.h"
#include "model/tensor/pooled_memory.h"
#include "model/tensor/profile.h"

namespace gloss {
namespace {

const ProfiledOperation kMuon("optimizer: Muon");

/// An iteration multiplies each singular value x by a + b x^2 + c x^4. Each polynomial times x is the one
/// nearest to 1 on the interval to which those before it move the interval from 0.01 to 1 (Polar Express,
/// Amsel et al. 2025); the first two are divided by 1.03, since rounding to bf16 may exceed the interval.
struct Iteration {
  float a, b, c;
};
constexpr Iteration kIterations[] = {{7.857640F, -22.932458F, 16.938013F},
                                     {3.549332F, -2.662514F, 0.525196F},
                                     {2.717662F, -2.039279F, 0.466328F}};

double sum_of_squares(std::span<const float> numbers) {
  return kernels().sum_of_squares(numbers.data(), static_cast<std::int64_t>(numbers.size()));
}

/// An operand of products, with a rounded copy if these are in bf16.
class Factor {
 public:
  Factor(std::size_t count, DType type)
      : count_(count),
        numbers_(count * sizeof(float)),
        rounded_(type == DType::bf16 ? PooledMemory(count * sizeof(Bf16)) : PooledMemory()) {}

  std::span<float> numbers() const { return {static_cast<float*>(numbers_.data()), count_}; }
  const void* operand() const { return rounded_.data() != nullptr ? rounded_.data() : numbers_.data(); }
  /// Must be called after the numbers have changed.
  void round() {
    if (rounded_.data() == nullptr) return;
    kernels().narrow(numbers().data(), static_cast<Bf16*>(rounded_.data()),
                     static_cast<std::int64_t>(count_));
  }
  /// Becomes the product of two others.
  void multiply(const MatmulShape& shape, const Factor& a, const Factor& b) {
    matmul(shape, a.operand(), b.operand(), numbers_.data());
    round();
  }

 private:
  std::size_t count_;
  PooledMemory numbers_, rounded_;
};

/// Becomes x (a + b g + c g^2) for the scaled matrix x of the Gram matrix g; `square` is g^2.
void set_polynomial(Factor& polynomial, const Factor& gram, const Factor& square, const Iteration& iteration,
                    std::int64_t side, float scale) {
  const float a = iteration.a * scale, b = iteration.b * scale * scale * scale,
              c = iteration.c * scale * scale * scale * scale * scale;
  const std::span<float> to = polynomial.numbers();
  const float* const first = gram.numbers().data();
  const float* const second = square.numbers().data();
  for (std::size_t i = 0; i < to.size(); ++i) to[i] = b * first[i] + c * second[i];
  for (std::size_t i = 0; i < to.size(); i += index(side) + 1) to[i] += a;
  polynomial.round();
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

void orthogonalise(std::span<float> matrix, std::int64_t rows, std::int64_t columns, DType type) {
  const bool tall = rows > columns;
  const std::int64_t side = std::min(rows, columns);
  constexpr std::int64_t kSmall = 64;  // smaller: the errors of bf16 hardly cancel, and it saves no time
  if (side < kSmall) type = DType::f32;
  const std::size_t count = index(side * side);
  Factor x(matrix.size(), type);
  const auto norm = static_cast<float>(1 / (std::sqrt(sum_of_squares(matrix)) + 1e-30));
  for (std::size_t i = 0; i < matrix.size(); ++i) x.numbers()[i] = matrix[i] * norm;
  x.round();

  // All iterates are x times a polynomial of its Gram matrix, and such polynomials commute: their products
  // are symmetric and have the smaller side. `gram` is the Gram matrix of the iterate, x times `total`.
  const MatmulShape shape{.m = side, .n = side, .k = side, .symmetric = true, .type = type};
  MatmulShape gram_shape = shape;
  gram_shape.k = std::max(rows, columns);
  (tall ? gram_shape.transpose_a : gram_shape.transpose_b) = true;
  Factor gram(count, type), square(count, type), factor(count, type), total(count, type), next(count, type);
  gram.multiply(gram_shape, x, x);
  for (std::size_t i = 0; i < std::size(kIterations); ++i) {
    square.multiply(shape, gram, gram);
    float scale = 1;
    if (i == 0) {
      // The 8th root of the sum of the singular values' 8th powers is at least the largest, and hardly more.
      // It is at least 1 / sqrt(side), unless all numbers are 0.
      scale = static_cast<float>(1 / std::max(1e-3, std::pow(sum_of_squares(square.numbers()), 0.125)));
    }
    set_polynomial(factor, gram, square, kIterations[i], side, scale);
    if (i + 1 < std::size(kIterations)) {
      next.multiply(shape, gram, factor);
      gram.multiply(shape, next, factor);
    }
    if (i == 0) {
      std::swap(total, factor);
    } else {
      next.multiply(shape, total, factor);
      std::swap(total, next);
    }
  }
  matmul({.m = rows, .n = columns, .k = side, .type = type}, (tall ? x : total).operand(),
         (tall ? total : x).operand(), matrix.data());
}

void muon_update(std::span<float> weights, std::span<const float> gradients, std::span<float> momentum,
                 const MuonMatrix& matrix, const MuonStep& step) {
  constexpr float kRootMeanSquare = 0.2F;
  const ProfiledTime time(kMuon, 0, 0);
  const PooledMemory memory(weights.size() * sizeof(float));
  const std::span<float> direction(static_cast<float*>(memory.data()), weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float gradient = gradients[i] * step.gradient_scale;
    momentum[i] = step.momentum * momentum[i] + (1 - step.momentum) * gradient;
    direction[i] = step.momentum * momentum[i] + (1 - step.momentum) * gradient;
  }
  orthogonalise(direction, matrix.rows, matrix.columns, step.type);
  const float size =
      step.rate * kRootMeanSquare * std::sqrt(static_cast<float>(std::max(matrix.rows, matrix.columns)));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] -= size * direction[i] + step.decay * weights[i];
  }
}

}  // namespace gloss

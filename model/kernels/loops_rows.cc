// SPDX-License-Identifier: Apache-2.0
// Kernels over rows: residual sums with dropout, normalisation, ReLU, embeddings.
#include "model/kernels/loops_vector.h"

namespace gloss::GLOSS_LOOPS {
namespace {

template <class Number>
void add(Number* to, const Number* from, std::int64_t count) {
  vectors(count,
          [&](std::int64_t i, std::int64_t n) { give(to + i, take(to + i, n) + take(from + i, n), n); });
}

template <class Number>
void multiply(Number* x, float factor, std::int64_t count) {
  vectors(count, [&](std::int64_t i, std::int64_t n) { give(x + i, take(x + i, n) * factor, n); });
}

template <class Number>
void add_dropout(const ResidualSum<Number>& s, const RowBlock& block) {
  const Number *base = s.base, *branch = s.branch;
  Number* result = s.sum;
  const DropoutMask mask = s.dropout;
  masked(block.first * block.width, block.rows * block.width, mask,
         [&](std::int64_t i, std::int64_t n, Vector factors) {
           give(result + i, take(base + i, n) + take(branch + i, n) * factors, n);
         });
}

template <class Number>
void dropout_gradient(const DropoutGradient<Number>& d, const RowBlock& block) {
  const Number* gradient = d.gradient;
  Number* branch = d.branch;
  const bool accumulate = d.accumulate;
  const DropoutMask mask = d.dropout;
  masked(block.first * block.width, block.rows * block.width, mask,
         [&](std::int64_t i, std::int64_t n, Vector factors) {
           const Factors given = take(gradient + i, n) * factors;
           give(branch + i, accumulate ? take(branch + i, n) + given : Vector(given), n);
         });
}

/// One row of `numbers`, f32 or in its storage type; without `kCentred`, the mean counts as 0 and there is no
/// bias.
template <bool kCentred, class Number, class Input>
inline void normalise_row(const NormalisedRows<Number>& norm, const Input* numbers, Number* y,
                          Number* normalised, float* inverse_deviation, std::int64_t width) {
  const float *gain = norm.gain, *bias = norm.bias;
  const float epsilon = norm.epsilon;
  const float share = 1.0f / static_cast<float>(width);
  float mean = 0;
  if constexpr (kCentred) {
    mean = sum_over(width, [&](std::int64_t i, std::int64_t n) { return take(numbers + i, n); }) * share;
  }
  const Integers lane = counting();
  const float squares = sum_over(width, [&](std::int64_t i, std::int64_t n) {
    const Vector d = chosen(lane < static_cast<std::int32_t>(n), take(numbers + i, n) - mean, Vector{});
    return Vector(d * d);
  });
  const float variance = squares * share;
  // The squares of large numbers overflow: the row becomes NaN, and not zeros that look like a result.
  const float overflow = variance * 0.0f;
  const float inverse = 1.0f / __builtin_sqrtf(variance + epsilon) + overflow;
  vectors(width, [&](std::int64_t i, std::int64_t n) {
    const Vector x = (take(numbers + i, n) - mean) * inverse;
    if (normalised != nullptr) give(normalised + i, x, n);
    if constexpr (kCentred) {
      give(y + i, x * take(gain + i, n) + take(bias + i, n), n);
    } else {
      give(y + i, x * take(gain + i, n), n);
    }
  });
  if (normalised != nullptr) *inverse_deviation = inverse;
}

template <bool kCentred, class Number>
void normalise(const NormalisedRows<Number>& norm, const RowBlock& block) {
  const Number *x = norm.x, *branch = norm.branch;
  Number *y = norm.y, *normalised = norm.normalised;
  float* scratch = norm.scratch;
  const DropoutMask mask = norm.dropout;
  const std::int64_t rows = block.rows, width = block.width;
  for (std::int64_t r = 0; r < rows; ++r, x += width, y += width) {
    float* deviation = normalised != nullptr ? norm.inverse_deviations + r : nullptr;
    if (branch == nullptr) {
      normalise_row<kCentred>(norm, x, y, normalised, deviation, width);
    } else {
      masked((block.first + r) * width, width, mask, [&](std::int64_t i, std::int64_t n, Vector factors) {
        give(scratch + i, take(x + i, n) + take(branch + i, n) * factors, n);
      });
      normalise_row<kCentred>(norm, scratch, y, normalised, deviation, width);
      branch += width;
    }
    if (normalised != nullptr) normalised += width;
  }
}

template <class Number>
void norm(const NormalisedRows<Number>& norm, const RowBlock& block) {
  norm.bias != nullptr ? normalise<true>(norm, block) : normalise<false>(norm, block);
}

template <bool kCentred, class Number>
void normalise_gradient(const NormalisedRowsGradient<Number>& norm, const RowBlock& block) {
  const Number *gradient = norm.gradient, *normalised = norm.normalised;
  const float* gain = norm.gain;
  Number *x_gradient = norm.x, *branch_gradient = norm.branch;
  float *gain_sums = norm.gain_sums, *bias_sums = norm.bias_sums;
  const bool accumulate = norm.accumulate;
  const DropoutMask mask = norm.dropout;
  const std::int64_t rows = block.rows, width = block.width;
  const float share = 1.0f / static_cast<float>(width);
  for (std::int64_t r = 0; r < rows; ++r, gradient += width, normalised += width, x_gradient += width) {
    Sums<> sums{}, products{};
    by_lanes(width, [&](int part, std::int64_t i, std::int64_t n) {
      const Vector dy = take(gradient + i, n), x = take(normalised + i, n);
      const Vector scaled = dy * take(gain + i, n);
      if constexpr (kCentred) sums.parts[part] += scaled;
      products.parts[part] += scaled * x;
      give(gain_sums + i, take(gain_sums + i, n) + dy * x, n);
      if constexpr (kCentred) give(bias_sums + i, take(bias_sums + i, n) + dy, n);
    });
    const float mean = kCentred ? sum(sums) * share : 0.0f, slope = sum(products) * share,
                inverse = norm.inverse_deviations[r];
    const auto own = [&](std::int64_t i, std::int64_t n) {
      const Factors scaled = take(gradient + i, n) * take(gain + i, n),
                    along = take(normalised + i, n) * slope;
      return (kCentred ? scaled - mean - along : scaled - along) * inverse;
    };
    if (branch_gradient == nullptr) {
      vectors(width, [&](std::int64_t i, std::int64_t n) {
        const Factors dx = own(i, n);
        give(x_gradient + i, accumulate ? take(x_gradient + i, n) + dx : Vector(dx), n);
      });
    } else {
      masked((block.first + r) * width, width, mask, [&](std::int64_t i, std::int64_t n, Vector factors) {
        const Vector dx = own(i, n);
        give(x_gradient + i, accumulate ? take(x_gradient + i, n) + dx : dx, n);
        give(branch_gradient + i, dx * factors, n);
      });
      branch_gradient += width;
    }
  }
}

template <class Number>
void norm_gradient(const NormalisedRowsGradient<Number>& norm, const RowBlock& block) {
  norm.bias_sums != nullptr ? normalise_gradient<true>(norm, block) : normalise_gradient<false>(norm, block);
}

/// Calls `f(row, column, count)` for all elements of [rows, width] and adds its results to the sums of their
/// columns. The sums of a panel of columns stay in registers over all rows.
template <class Function>
inline void with_column_sums(float* sums, std::int64_t rows, std::int64_t width, Function f) {
  constexpr int kPanel = 4;
  std::int64_t c = 0;
  for (; c + kPanel * kLanes <= width; c += kPanel * kLanes) {
    Vector totals[kPanel] = {};
    for (std::int64_t r = 0; r < rows; ++r) {
      for (int p = 0; p < kPanel; ++p) totals[p] += f(r, c + p * kLanes, kLanes);
    }
    for (int p = 0; p < kPanel; ++p) store(sums + c + p * kLanes, load(sums + c + p * kLanes) + totals[p]);
  }
  for (; c < width; c += kLanes) {
    const std::int64_t n = width - c < kLanes ? width - c : kLanes;
    Vector total{};
    for (std::int64_t r = 0; r < rows; ++r) total += f(r, c, n);
    give(sums + c, take(sums + c, n) + total, n);
  }
}

template <class Number>
void add_column_sums(const Number* numbers, float* sums, std::int64_t rows, std::int64_t width) {
  with_column_sums(sums, rows, width, [&](std::int64_t r, std::int64_t c, std::int64_t n) {
    return take(numbers + r * width + c, n);
  });
}

template <class Number>
void dropout(Number* x, DropoutMask mask, std::int64_t first, std::int64_t count) {
  masked(first, count, mask,
         [&](std::int64_t i, std::int64_t n, Vector factors) { give(x + i, take(x + i, n) * factors, n); });
}

template <class Number>
void relu(Number* x, std::int64_t count) {
  vectors(count, [&](std::int64_t i, std::int64_t n) { give(x + i, larger(Vector{}, take(x + i, n)), n); });
}

template <class Number>
void relu_gradient(const ReluGradient<Number>& relu, std::int64_t rows, std::int64_t width) {
  const Number *gradient = relu.gradient, *y = relu.y;
  Number* x_gradient = relu.x;
  const float scale = relu.scale;
  with_column_sums(relu.column_sums, rows, width, [&](std::int64_t r, std::int64_t c, std::int64_t n) {
    const std::int64_t at = r * width + c;
    const Vector dx = chosen(take(y + at, n) > Vector{}, take(gradient + at, n) * scale, Vector{});
    give(x_gradient + at, dx, n);
    return dx;
  });
}

template <class Number>
void rotate(const Rotation<Number>& rotation) {
  const Number* x = rotation.x;
  const float *cosines = rotation.cosines, *sines = rotation.sines;
  Number* y = rotation.y;
  const bool accumulate = rotation.accumulate;
  const std::int64_t heads = rotation.heads, width = rotation.width, half = width / 2;
  const float direction = rotation.back ? -1.0f : 1.0f;
  for (std::int64_t head = 0; head < heads; ++head, x += width, y += width) {
    vectors(half, [&](std::int64_t i, std::int64_t n) {
      const Vector a = take(x + i, n), b = take(x + half + i, n), cosine = take(cosines + i, n),
                   sine = take(sines + i, n) * direction;
      const Vector first = a * cosine - b * sine, second = a * sine + b * cosine;
      give(y + i, accumulate ? take(y + i, n) + first : first, n);
      give(y + half + i, accumulate ? take(y + half + i, n) + second : second, n);
    });
  }
}

template <class Number>
void embed_row(const EmbeddedRow<Number>& row) {
  const float *table_row = row.table_row, *position_row = row.position_row;
  const float scale = row.scale;
  Number* y = row.y;
  const DropoutMask mask = row.dropout;
  masked(row.row * row.width, row.width, mask, [&](std::int64_t i, std::int64_t n, Vector factors) {
    const Factors scaled = take(table_row + i, n) * scale;
    give(y + i, (position_row == nullptr ? Vector(scaled) : scaled + take(position_row + i, n)) * factors, n);
  });
}

template <class Number>
void embed_row_gradient(const EmbeddedRowGradient<Number>& row) {
  const Number* gradient = row.gradient;
  const float scale = row.scale;
  float *table_row = row.table_row, *position_row = row.position_row;
  const DropoutMask mask = row.dropout;
  masked(row.row * row.width, row.width, mask, [&](std::int64_t i, std::int64_t n, Vector factors) {
    const Vector v = take(gradient + i, n) * factors;
    if (table_row != nullptr) give(table_row + i, take(table_row + i, n) + v * scale, n);
    if (position_row != nullptr) give(position_row + i, take(position_row + i, n) + v, n);
  });
}

template <class Number>
void add_loops(ActivationKernels<Number>& k) {
  k.add = add;
  k.multiply = multiply;
  k.add_dropout = add_dropout;
  k.dropout_gradient = dropout_gradient;
  k.norm = norm;
  k.norm_gradient = norm_gradient;
  k.add_column_sums = add_column_sums;
  k.dropout = dropout;
  k.relu = relu;
  k.relu_gradient = relu_gradient;
  k.rotate = rotate;
  k.embed_row = embed_row;
  k.embed_row_gradient = embed_row_gradient;
}

}  // namespace

void add_row_loops(Kernels& k) {
  add_loops(k.f32);
  add_loops(k.bf16);
}

}  // namespace gloss::GLOSS_LOOPS

// Loops over rows: residual sums with dropout, layer normalisation, activations, embeddings.
#include "model/tensor/loops_vector.h"

namespace gloss::GLOSS_LOOPS {
namespace {

constexpr float kLayerNormEpsilon = 1e-5f;

/// Goes over `count` numbers whose first has dropout index `first`: y = f(position, mask factors).
template <class Function>
inline void masked(std::int64_t first, std::int64_t count, const DropoutMask& mask, float* y, Function f) {
  const bool drops = mask.threshold > 0;
  by_vectors(
      count,
      [&](std::int64_t i) {
        store(y + i, f(i, kLanes, drops ? dropout_factors(mask, first + i) : all(1.0f)));
      },
      [&](std::int64_t i, std::int64_t rest) {
        store_part(y + i, f(i, rest, drops ? dropout_factors(mask, first + i) : all(1.0f)), rest);
      });
}

inline Vector take(const float* from, std::int64_t count) {
  return count == kLanes ? load(from) : load_part(from, count);
}

void add_dropout(const float* base, const float* branch, float* result, DropoutMask mask,
                 std::int64_t first_row, std::int64_t rows, std::int64_t width) {
  masked(first_row * width, rows * width, mask, result, [&](std::int64_t i, std::int64_t n, Vector factors) {
    return take(base + i, n) + take(branch + i, n) * factors;
  });
}

void dropout_gradient(const float* gradient, float* branch, bool accumulate, DropoutMask mask,
                      std::int64_t first_row, std::int64_t rows, std::int64_t width) {
  masked(first_row * width, rows * width, mask, branch, [&](std::int64_t i, std::int64_t n, Vector factors) {
    const Vector given = take(gradient + i, n) * factors;
    return accumulate ? take(branch + i, n) + given : given;
  });
}

void layer_norm(const float* x, const float* gain, const float* bias, float* y, float* normalised,
                float* inverse_deviations, std::int64_t rows, std::int64_t width) {
  const float share = 1.0f / static_cast<float>(width);
  for (std::int64_t r = 0; r < rows; ++r, x += width, y += width) {
    Vector sums{};
    by_vectors(
        width, [&](std::int64_t i) { sums += load(x + i); },
        [&](std::int64_t i, std::int64_t n) { sums += load_part(x + i, n); });
    const float mean = sum(sums) * share;
    Vector squares{};
    by_vectors(
        width,
        [&](std::int64_t i) {
          const Vector d = load(x + i) - mean;
          squares += d * d;
        },
        [&](std::int64_t i, std::int64_t n) {
          const Vector d = load_part(x + i, n, mean) - mean;
          squares += d * d;
        });
    const float inverse = 1.0f / __builtin_sqrtf(sum(squares) * share + kLayerNormEpsilon);
    by_vectors(
        width,
        [&](std::int64_t i) {
          const Vector n = (load(x + i) - mean) * inverse;
          if (normalised != nullptr) store(normalised + i, n);
          store(y + i, n * load(gain + i) + load(bias + i));
        },
        [&](std::int64_t i, std::int64_t rest) {
          const Vector n = (load_part(x + i, rest) - mean) * inverse;
          if (normalised != nullptr) store_part(normalised + i, n, rest);
          store_part(y + i, n * load_part(gain + i, rest) + load_part(bias + i, rest), rest);
        });
    if (normalised != nullptr) {
      inverse_deviations[r] = inverse;
      normalised += width;
    }
  }
}

void layer_norm_gradient(const float* gradient, const float* normalised, const float* inverse_deviations,
                         const float* gain, float* x_gradient, bool accumulate, float* gain_gradient,
                         float* bias_gradient, std::int64_t rows, std::int64_t width) {
  const float share = 1.0f / static_cast<float>(width);
  for (std::int64_t r = 0; r < rows; ++r, gradient += width, normalised += width, x_gradient += width) {
    Vector sums{}, products{};
    const auto first_pass = [&](std::int64_t i, std::int64_t n) {
      const Vector dy = take(gradient + i, n), x = take(normalised + i, n);
      const Vector scaled = dy * take(gain + i, n);
      sums += scaled;
      products += scaled * x;
      const Vector dgain = take(gain_gradient + i, n) + dy * x, dbias = take(bias_gradient + i, n) + dy;
      if (n == kLanes) {
        store(gain_gradient + i, dgain);
        store(bias_gradient + i, dbias);
      } else {
        store_part(gain_gradient + i, dgain, n);
        store_part(bias_gradient + i, dbias, n);
      }
    };
    by_vectors(
        width, [&](std::int64_t i) { first_pass(i, kLanes); }, first_pass);
    const float mean = sum(sums) * share, slope = sum(products) * share, inverse = inverse_deviations[r];
    masked(0, width, DropoutMask{}, x_gradient, [&](std::int64_t i, std::int64_t n, Vector) {
      const Vector dx =
          (take(gradient + i, n) * take(gain + i, n) - mean - take(normalised + i, n) * slope) * inverse;
      return accumulate ? take(x_gradient + i, n) + dx : dx;
    });
  }
}

void add_column_sums(const float* numbers, float* sums, std::int64_t rows, std::int64_t width) {
  // Panels of columns stay in registers while all rows pass.
  constexpr int kPanel = 4;
  std::int64_t c = 0;
  for (; c + kPanel * kLanes <= width; c += kPanel * kLanes) {
    Vector totals[kPanel] = {};
    for (std::int64_t r = 0; r < rows; ++r) {
      for (int p = 0; p < kPanel; ++p) totals[p] += load(numbers + r * width + c + p * kLanes);
    }
    for (int p = 0; p < kPanel; ++p) store(sums + c + p * kLanes, load(sums + c + p * kLanes) + totals[p]);
  }
  for (; c < width; ++c) {
    float total = 0;
    for (std::int64_t r = 0; r < rows; ++r) total += numbers[r * width + c];
    sums[c] += total;
  }
}

void relu(const float* x, float* y, DropoutMask mask, std::int64_t first, std::int64_t count) {
  masked(first, count, mask, y, [&](std::int64_t i, std::int64_t n, Vector factors) {
    return larger(take(x + i, n), Vector{}) * factors;
  });
}

void relu_gradient(const float* gradient, const float* y, float* x_gradient, bool accumulate, float scale,
                   std::int64_t count) {
  masked(0, count, DropoutMask{}, x_gradient, [&](std::int64_t i, std::int64_t n, Vector) {
    const Vector dx = take(y + i, n) > Vector{} ? take(gradient + i, n) * scale : Vector{};
    return accumulate ? take(x_gradient + i, n) + dx : dx;
  });
}

// GELU in its tanh form (Hendrycks and Gimpel 2016): x * s(2u), s the logistic function, u = a (x + b x^3).
constexpr float kGeluA = 0.7978845608f;  // sqrt(2 / pi)
constexpr float kGeluB = 0.044715f;

inline Vector gelu_gate(Vector x) {
  return 1.0f / (1.0f + exponential(-2.0f * kGeluA * (x + kGeluB * x * x * x)));
}

void gelu(const float* x, float* y, DropoutMask mask, std::int64_t first, std::int64_t count) {
  masked(first, count, mask, y, [&](std::int64_t i, std::int64_t n, Vector factors) {
    const Vector v = take(x + i, n);
    return v * gelu_gate(v) * factors;
  });
}

void gelu_gradient(const float* gradient, const float* x, float* x_gradient, bool accumulate,
                   DropoutMask mask, std::int64_t first, std::int64_t count) {
  masked(first, count, mask, x_gradient, [&](std::int64_t i, std::int64_t n, Vector factors) {
    const Vector v = take(x + i, n), gate = gelu_gate(v);
    const Vector slope = gate + v * gate * (1.0f - gate) * 2.0f * kGeluA * (1.0f + 3.0f * kGeluB * v * v);
    return (accumulate ? take(x_gradient + i, n) : Vector{}) + take(gradient + i, n) * factors * slope;
  });
}

void embed_row(const float* table_row, const float* position_row, float scale, float* y, DropoutMask mask,
               std::int64_t row, std::int64_t width) {
  masked(row * width, width, mask, y, [&](std::int64_t i, std::int64_t n, Vector factors) {
    const Vector v = take(table_row + i, n) * scale;
    return (position_row == nullptr ? v : v + take(position_row + i, n)) * factors;
  });
}

}  // namespace

void add_row_loops(Kernels& k) {
  k.add_dropout = add_dropout;
  k.dropout_gradient = dropout_gradient;
  k.layer_norm = layer_norm;
  k.layer_norm_gradient = layer_norm_gradient;
  k.add_column_sums = add_column_sums;
  k.relu = relu;
  k.relu_gradient = relu_gradient;
  k.gelu = gelu;
  k.gelu_gradient = gelu_gradient;
  k.embed_row = embed_row;
}

}  // namespace gloss::GLOSS_LOOPS

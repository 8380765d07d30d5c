// SPDX-License-Identifier: Apache-2.0
// Activation functions, alone or as gates, with their gradients.
#include "model/kernels/loops_vector.h"

namespace gloss::GLOSS_LOOPS {
namespace {

struct Relu {
  static Vector value(Vector x) { return larger(Vector{}, x); }
  static Vector slope(Vector x) { return chosen(x > Vector{}, all(1.0f), Vector{}); }
};

/// x * s(2u), s the logistic function, u = a (x + b x^3).
struct Gelu {
  static constexpr float kA = 0.7978845608f;  // sqrt(2 / pi)
  static constexpr float kB = 0.044715f;
  static Vector gate(Vector x) { return 1.0f / (1.0f + exponential(-2.0f * kA * (x + kB * x * x * x))); }
  static Vector value(Vector x) { return x * gate(x); }
  static Vector slope(Vector x) {
    const Vector g = gate(x);
    return g + x * g * (1.0f - g) * 2.0f * kA * (1.0f + 3.0f * kB * x * x);
  }
};

/// e^(-x^2 / 2) to a few units in the last place. The square is split into that of the upper 12 bits, which
/// is exact, and a small rest.
inline Vector bell(Vector x) {
  x = smaller(all(14.0f), larger(x, -x));  // this order keeps NaN; from 13.3 on, the result is 0
  const Vector upper = of_bits(bits_of(x) & 0xfffff000u);
  const Vector rest = (x - upper) * (x + upper) * -0.5f;  // at most 0.05
  const Vector correction = 1.0f + rest * (1.0f + rest * (0.5f + rest * (1.0f / 6 + rest * (1.0f / 24))));
  return exponential(upper * upper * -0.5f) * correction;
}

struct GeluExact {
  /// The normal distribution's tail below -|x|, from e^(-x^2 / 2). The polynomial, fitted at Chebyshev
  /// points, has a relative error of 4e-8 where the tail is not 0.
  static Vector tail(Vector x, Vector bell_of_x) {
    const Vector t = 1.0f / (1.0f + 0.35f * larger(x, -x));
    Vector p = all(-0.029576543287f);
    p = p * t + 0.14606903293f;
    p = p * t - 0.26003290007f;
    p = p * t + 0.16406349499f;
    p = p * t - 0.026422695026f;
    p = p * t + 0.10687646165f;
    p = p * t + 0.11949814138f;
    p = p * t + 0.13990597446f;
    p = p * t + 0.13961901641f;
    return bell_of_x * t * p;
  }
  static Vector share(Vector x, Vector bell_of_x) {
    const Vector below = tail(x, bell_of_x);
    return chosen(x > Vector{}, 1.0f - below, below);
  }
  static Vector value(Vector x) { return x * share(x, bell(x)); }
  static Vector slope(Vector x) {
    const Vector density = bell(x);
    return share(x, density) + x * density * 0.39894228040f;  // 1 / sqrt(2 pi)
  }
};

struct Swish {
  static Vector value(Vector x) { return x * logistic(x); }
  static Vector slope(Vector x) {
    const Vector s = logistic(x);
    return s + x * s * (1.0f - s);
  }
};

struct Sigmoid {
  static Vector value(Vector x) { return logistic(x); }
  static Vector slope(Vector x) {
    const Vector s = logistic(x);
    return s * (1.0f - s);
  }
};

template <class Function, class Number>
void activate(const Activated<Number>& a) {
  const Number* x = a.x;
  Number* y = a.y;
  const DropoutMask mask = a.dropout;
  masked(a.first, a.count, mask, [&](std::int64_t i, std::int64_t n, Vector factors) {
    give(y + i, Function::value(take(x + i, n)) * factors, n);
  });
}

template <class Function, class Number>
void activate_gradient(const ActivatedGradient<Number>& a) {
  const Number *gradient = a.gradient, *x = a.x;
  Number* x_gradient = a.x_gradient;
  const bool accumulate = a.accumulate;
  const DropoutMask mask = a.dropout;
  masked(a.first, a.count, mask, [&](std::int64_t i, std::int64_t n, Vector factors) {
    const Vector dx = take(gradient + i, n) * factors * Function::slope(take(x + i, n));
    give(x_gradient + i, accumulate ? take(x_gradient + i, n) + dx : dx, n);
  });
}

template <class Function, class Number>
void gate_rows(const GatedRows<Number>& rows, const RowBlock& block) {
  const Number* gate = rows.x;
  Number* y = rows.y;
  const DropoutMask mask = rows.dropout;
  const std::int64_t width = block.width;
  for (std::int64_t r = 0; r < block.rows; ++r, gate += 2 * width, y += width) {
    const Number* inner = gate + width;
    masked((block.first + r) * width, width, mask, [&](std::int64_t i, std::int64_t n, Vector factors) {
      give(y + i, Function::value(take(gate + i, n)) * take(inner + i, n) * factors, n);
    });
  }
}

template <class Function, class Number>
void gate_rows_gradient(const GatedRowsGradient<Number>& rows, const RowBlock& block) {
  const Number *gradient = rows.gradient, *gate = rows.x;
  Number* gate_gradient = rows.x_gradient;
  const bool accumulate = rows.accumulate;
  const DropoutMask mask = rows.dropout;
  const std::int64_t width = block.width;
  for (std::int64_t r = 0; r < block.rows; ++r) {
    const Number* inner = gate + width;
    Number* inner_gradient = gate_gradient + width;
    masked((block.first + r) * width, width, mask, [&](std::int64_t i, std::int64_t n, Vector factors) {
      const Vector dy = take(gradient + i, n) * factors, x = take(gate + i, n);
      const Vector dgate = dy * take(inner + i, n) * Function::slope(x), dinner = dy * Function::value(x);
      give(gate_gradient + i, accumulate ? take(gate_gradient + i, n) + dgate : dgate, n);
      give(inner_gradient + i, accumulate ? take(inner_gradient + i, n) + dinner : dinner, n);
    });
    gradient += width;
    gate += 2 * width;
    gate_gradient += 2 * width;
  }
}

template <class Function, class Number>
void add_function(ActivationKernels<Number>& k, Activation activation) {
  const int at = static_cast<int>(activation);
  k.activate[at] = activate<Function>;
  k.activate_gradient[at] = activate_gradient<Function>;
  k.gate_rows[at] = gate_rows<Function>;
  k.gate_rows_gradient[at] = gate_rows_gradient<Function>;
}

template <class Number>
void add_loops(ActivationKernels<Number>& k) {
  add_function<Relu>(k, Activation::relu);
  add_function<Gelu>(k, Activation::gelu);
  add_function<GeluExact>(k, Activation::gelu_exact);
  add_function<Swish>(k, Activation::swish);
  add_function<Sigmoid>(k, Activation::sigmoid);
}

}  // namespace

void add_activation_loops(Kernels& k) {
  add_loops(k.f32);
  add_loops(k.bf16);
}

}  // namespace gloss::GLOSS_LOOPS

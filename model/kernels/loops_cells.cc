// SPDX-License-Identifier: Apache-2.0
// The cells of recurrent networks with their gradients, one row at a time.
//
// Letters: x the row of projected inputs, r that of the recurrent product, both with one block of `width`
// elements for each gate; s the logistic function.
#include "model/kernels/loops_vector.h"

namespace gloss::GLOSS_LOOPS {
namespace {

/// Hochreiter and Schmidhuber 1997 with the forget gate of Gers et al. 2000. State: h, c. Kept: the gates.
template <class Number>
void lstm(const CellRow<Number>& row) {
  const Number *x = row.input, *before = row.before;
  const float* r = row.recurrent;
  Number *after = row.after, *kept = row.kept;
  const std::int64_t width = row.width;
  vectors(width, [&](std::int64_t i, std::int64_t n) {
    const auto sum = [&](int gate) { return take(x + gate * width + i, n) + take(r + gate * width + i, n); };
    const Vector in = logistic(sum(0)), forget = logistic(sum(1)), now = hyperbolic_tangent(sum(2)),
                 out = logistic(sum(3));
    const Vector cell = forget * take(before + width + i, n) + in * now;
    give(after + i, out * hyperbolic_tangent(cell), n);
    give(after + width + i, cell, n);
    if (kept == nullptr) return;
    give(kept + i, in, n);
    give(kept + width + i, forget, n);
    give(kept + 2 * width + i, now, n);
    give(kept + 3 * width + i, out, n);
  });
}

template <class Number>
void lstm_gradient(const CellGradient<Number>& g) {
  const std::int64_t width = g.width;
  vectors(width, [&](std::int64_t i, std::int64_t n) {
    const Vector in = take(g.kept + i, n), forget = take(g.kept + width + i, n),
                 now = take(g.kept + 2 * width + i, n), out = take(g.kept + 3 * width + i, n);
    const Vector cell_before = take(g.before + width + i, n);
    const Vector squashed = hyperbolic_tangent(forget * cell_before + in * now);
    const Vector dh = take(g.hidden + i, n) + take(g.after + i, n);
    const Vector dc =
        take(g.cell + i, n) + take(g.after + width + i, n) + dh * out * (1.0f - squashed * squashed);
    const auto put_gate = [&](int gate, Vector slope) {
      const std::int64_t at = gate * width + i;
      give(g.recurrent + at, slope, n);
      give(g.input + at, g.accumulate ? take(g.input + at, n) + slope : slope, n);
    };
    put_gate(0, dc * now * in * (1.0f - in));
    put_gate(1, dc * cell_before * forget * (1.0f - forget));
    put_gate(2, dc * in * (1.0f - now * now));
    put_gate(3, dh * squashed * out * (1.0f - out));
    give(g.hidden + i, Vector{}, n);
    give(g.cell + i, dc * forget, n);
  });
}

/// Cho et al. 2014, with the reset gate after the recurrent product. State: h. Kept: reset, update, the
/// candidate and its recurrent product.
template <class Number>
void gru(const CellRow<Number>& row) {
  const Number *x = row.input, *before = row.before;
  const float* r = row.recurrent;
  Number *after = row.after, *kept = row.kept;
  const std::int64_t width = row.width;
  vectors(width, [&](std::int64_t i, std::int64_t n) {
    const Vector reset = logistic(take(x + i, n) + take(r + i, n)),
                 update = logistic(take(x + width + i, n) + take(r + width + i, n)),
                 product = take(r + 2 * width + i, n);
    const Vector now = hyperbolic_tangent(take(x + 2 * width + i, n) + reset * product);
    give(after + i, now + update * (take(before + i, n) - now), n);
    if (kept == nullptr) return;
    give(kept + i, reset, n);
    give(kept + width + i, update, n);
    give(kept + 2 * width + i, now, n);
    give(kept + 3 * width + i, product, n);
  });
}

template <class Number>
void gru_gradient(const CellGradient<Number>& g) {
  const std::int64_t width = g.width;
  vectors(width, [&](std::int64_t i, std::int64_t n) {
    const Vector reset = take(g.kept + i, n), update = take(g.kept + width + i, n),
                 now = take(g.kept + 2 * width + i, n), product = take(g.kept + 3 * width + i, n);
    const Vector dh = take(g.hidden + i, n) + take(g.after + i, n);
    const Vector dnow = dh * (1.0f - update) * (1.0f - now * now),
                 dupdate = dh * (take(g.before + i, n) - now) * update * (1.0f - update),
                 dreset = dnow * product * reset * (1.0f - reset);
    const auto put_gate = [&](int gate, Vector of_input, Vector of_product) {
      const std::int64_t at = gate * width + i;
      give(g.recurrent + at, of_product, n);
      give(g.input + at, g.accumulate ? take(g.input + at, n) + of_input : of_input, n);
    };
    put_gate(0, dreset, dreset);
    put_gate(1, dupdate, dupdate);
    put_gate(2, dnow, dnow * reset);
    give(g.hidden + i, dh * update, n);
  });
}

/// Elman 1990. State and kept: h.
template <class Number>
void tanh_cell(const CellRow<Number>& row) {
  const Number* x = row.input;
  const float* r = row.recurrent;
  Number *after = row.after, *kept = row.kept;
  const std::int64_t width = row.width;
  vectors(width, [&](std::int64_t i, std::int64_t n) {
    const Vector now = hyperbolic_tangent(take(x + i, n) + take(r + i, n));
    give(after + i, now, n);
    if (kept != nullptr) give(kept + i, now, n);
  });
}

template <class Number>
void tanh_cell_gradient(const CellGradient<Number>& g) {
  const std::int64_t width = g.width;
  vectors(width, [&](std::int64_t i, std::int64_t n) {
    const Vector now = take(g.kept + i, n);
    const Vector slope = (take(g.hidden + i, n) + take(g.after + i, n)) * (1.0f - now * now);
    give(g.recurrent + i, slope, n);
    give(g.input + i, g.accumulate ? take(g.input + i, n) + slope : slope, n);
    give(g.hidden + i, Vector{}, n);
  });
}

template <class Number>
void hyperbolic_tangents(const Number* x, Number* y, std::int64_t count) {
  vectors(count, [&](std::int64_t i, std::int64_t n) { give(y + i, hyperbolic_tangent(take(x + i, n)), n); });
}

template <class Number>
void hyperbolic_tangents_gradient(const Number* gradient, const Number* y, Number* x_gradient,
                                  bool accumulate, std::int64_t count) {
  vectors(count, [&](std::int64_t i, std::int64_t n) {
    const Vector value = take(y + i, n), dx = take(gradient + i, n) * (1.0f - value * value);
    give(x_gradient + i, accumulate ? take(x_gradient + i, n) + dx : dx, n);
  });
}

template <class Number>
void add_loops(ActivationKernels<Number>& k) {
  k.cells[static_cast<int>(Cell::lstm)] = {lstm, lstm_gradient};
  k.cells[static_cast<int>(Cell::gru)] = {gru, gru_gradient};
  k.cells[static_cast<int>(Cell::tanh)] = {tanh_cell, tanh_cell_gradient};
  k.tanh = hyperbolic_tangents;
  k.tanh_gradient = hyperbolic_tangents_gradient;
}

}  // namespace

void add_cell_loops(Kernels& k) {
  add_loops(k.f32);
  add_loops(k.bf16);
}

}  // namespace gloss::GLOSS_LOOPS

// SPDX-License-Identifier: Apache-2.0
// Kernels for flat arrays: sums of gradients and optimizer steps.
#include "model/kernels/loops_vector.h"

namespace gloss::GLOSS_LOOPS {
namespace {

void add_scaled(float* to, const float* from, float scale, std::int64_t count) {
  by_vectors(
      count, [&](std::int64_t i) { store(to + i, load(to + i) + load(from + i) * scale); },
      [&](std::int64_t i, std::int64_t rest) {
        for (std::int64_t j = i; j < i + rest; ++j) to[j] = fused(from[j], scale, to[j]);
      });
}

double sum_of_squares(const float* values, std::int64_t count) {
  // Blocks of f32 sums, added up in double: precise enough for a norm, and independent of the number of
  // threads.
  constexpr std::int64_t kBlock = 1024;
  double total = 0;
  for (std::int64_t start = 0; start < count; start += kBlock) {
    const std::int64_t size = count - start < kBlock ? count - start : kBlock;
    total += static_cast<double>(sum_over(size, [&](std::int64_t i, std::int64_t n) {
      const Vector v = take(values + start + i, n);
      return v * v;
    }));
  }
  return total;
}

Vector root(Vector x) {
  for (int i = 0; i < kLanes; ++i) x.lanes[i] = __builtin_sqrtf(x.lanes[i]);
  return x;
}

void adam(const AdamStep& s, const AdamWeights& all) {
  float *weights = all.weights, *first = all.first_moments, *second = all.second_moments;
  const float* gradients = all.gradients;
  // w: weight, g: gradient, m and v: first and second moment, as in the paper.
  const auto step = [&](Vector& w, Vector& m, Vector& v, Vector g) {
    g *= s.gradient_scale;
    m = m * s.beta1 + g * (1.0f - s.beta1);
    v = v * s.beta2 + g * g * (1.0f - s.beta2);
    w = w - (w * s.decay + m * s.rate / (root(v * s.second_correction) + s.epsilon));
  };
  by_vectors(
      all.count,
      [&](std::int64_t i) {
        Vector w = load(weights + i), m = load(first + i), v = load(second + i);
        step(w, m, v, load(gradients + i));
        store(weights + i, w);
        store(first + i, m);
        store(second + i, v);
      },
      [&](std::int64_t i, std::int64_t rest) {
        Vector w = load_part(weights + i, rest), m = load_part(first + i, rest),
               v = load_part(second + i, rest);
        step(w, m, v, load_part(gradients + i, rest));
        store_part(weights + i, w, rest);
        store_part(first + i, m, rest);
        store_part(second + i, v, rest);
      });
}

void narrow(const float* from, Bf16* to, std::int64_t count) {
  by_vectors(
      count, [&](std::int64_t i) { store(to + i, load(from + i)); },
      [&](std::int64_t i, std::int64_t rest) { store_part(to + i, load_part(from + i, rest), rest); });
}

}  // namespace

void add_flat_loops(Kernels& k) {
  k.add_scaled = add_scaled;
  k.sum_of_squares = sum_of_squares;
  k.adam = adam;
  k.narrow = narrow;
}

}  // namespace gloss::GLOSS_LOOPS

// SPDX-License-Identifier: Apache-2.0
// Conversion to and from int8.
#include "model/kernels/loops_quantise.h"

namespace gloss::GLOSS_LOOPS {
namespace {

typedef std::int8_t LooseSignedBytes __attribute__((vector_size(kLanes), aligned(1), may_alias));

template <class Number>
void round_rows(const Number* x, Number* y, std::int64_t rows, std::int64_t width) {
  for (std::int64_t r = 0; r < rows; ++r, x += width, y += width) {
    const Scaling scaling = scaling_for(largest_magnitude(x, width));
    const auto there_and_back = [&](Vector v) {
      return of_integers(rounded(v, scaling.factor)) * scaling.scale;
    };
    by_vectors(
        width, [&](std::int64_t i) { store(y + i, there_and_back(load(x + i))); },
        [&](std::int64_t i, std::int64_t n) { store_part(y + i, there_and_back(load_part(x + i, n)), n); });
  }
}

void quantise(const float* from, std::int8_t* to, float* scale, std::int64_t count) {
  const Scaling scaling = scaling_for(largest_magnitude(from, count));
  *scale = scaling.scale;
  by_vectors(
      count,
      [&](std::int64_t i) {
        *reinterpret_cast<LooseSignedBytes*>(to + i) = bytes_of(rounded(load(from + i), scaling.factor));
      },
      [&](std::int64_t i, std::int64_t n) {
        const Integers numbers = rounded(load_part(from + i, n), scaling.factor);
        for (std::int64_t j = 0; j < n && j < kLanes; ++j) to[i + j] = static_cast<std::int8_t>(numbers[j]);
      });
}

void dequantise(const std::int8_t* from, float scale, float* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<float>(from[i]) * scale;
}

void widen(const Bf16* from, float* to, std::int64_t count) {
  by_vectors(
      count, [&](std::int64_t i) { store(to + i, load(from + i)); },
      [&](std::int64_t i, std::int64_t n) { store_part(to + i, load_part(from + i, n), n); });
}

}  // namespace

void add_int8_loops(Kernels& k) {
  k.f32.round_rows = round_rows;
  k.bf16.round_rows = round_rows;
  k.quantise = quantise;
  k.dequantise = dequantise;
  k.widen = widen;
}

}  // namespace gloss::GLOSS_LOOPS

// SPDX-License-Identifier: Apache-2.0

#pragma once

// Quantisation to int8, for the files loops_int8.cc and products_int8.cc.

#include <cmath>

#include "model/kernels/loops_vector.h"

namespace gloss::GLOSS_LOOPS {
namespace {

typedef std::int8_t SignedBytes __attribute__((vector_size(kLanes)));

constexpr float kLargest = 127.0f;

/// NaN if there is a NaN or an infinity.
template <class Number>
float largest_magnitude(const Number* x, std::int64_t count) {
  Vector high{};
  Sums<kLanes> zeros{};
  const auto add = [&](Vector v) {
    high = larger(high, larger(v, -v));
    zeros.parts[0] += v * 0.0f;  // comparisons lose NaN, sums keep it
  };
  by_vectors(
      count, [&](std::int64_t i) { add(load(x + i)); },
      [&](std::int64_t i, std::int64_t n) { add(load_part(x + i, n)); });
  return largest(high) + sum(zeros);
}

/// Rounds x * factor to the nearest integer, ties to even; for magnitudes below 2^22.
inline Integers rounded(Vector x, float factor) {
  const Vector shifted = x * factor + 12582912.0f;
  return reinterpret_cast<Integers>(shifted.lanes) - 0x4b400000;
}

/// The lowest byte of each element.
inline SignedBytes bytes_of(Integers numbers) {
#if defined(__AVX512F__)  // GCC 12 narrows in halves
  return reinterpret_cast<SignedBytes>(
      _mm512_maskz_cvtepi32_epi8(0xffff, reinterpret_cast<__m512i>(numbers)));
#else
  return __builtin_convertvector(numbers, SignedBytes);
#endif
}

/// The factor applied before rounding, and the scale that undoes it.
struct Scaling {
  float factor, scale;
};
inline Scaling scaling_for(float largest) {
  // Integers have no NaN: the scale passes it on, so that the result of the row is not mistaken for numbers.
  if (std::isnan(largest)) return {0.0f, largest};
  // A row of zeros becomes zeros.
  if (!(largest > 1e-30f)) return {0.0f, 0.0f};
  return {kLargest / largest, largest / kLargest};
}

}  // namespace
}  // namespace gloss::GLOSS_LOOPS

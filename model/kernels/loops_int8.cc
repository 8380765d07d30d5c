// SPDX-License-Identifier: Apache-2.0
// Conversion to and from int8.
#include <cmath>

#include "model/kernels/loops_vector.h"

namespace gloss::GLOSS_LOOPS {
namespace {

typedef std::uint8_t Bytes __attribute__((vector_size(kLanes)));
typedef std::uint8_t LooseBytes __attribute__((vector_size(kLanes), aligned(1), may_alias));
typedef std::int8_t SignedBytes __attribute__((vector_size(kLanes)));
typedef std::int8_t LooseSignedBytes __attribute__((vector_size(kLanes), aligned(1), may_alias));
typedef std::int32_t LooseIntegers __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));

constexpr float kLargest = 127.0f;

/// NaN if there is a NaN or an infinity.
template <class Number>
float largest_magnitude(const Number* x, std::int64_t count) {
  Vector high{}, zeros{};
  const auto add = [&](Vector v) {
    high = larger(high, larger(v, -v));
    zeros += v * 0.0f;  // comparisons lose NaN, sums keep it
  };
  by_vectors(
      count, [&](std::int64_t i) { add(load(x + i)); },
      [&](std::int64_t i, std::int64_t n) { add(load_part(x + i, n)); });
  return largest(high) + sum(zeros);
}

/// Rounds to the nearest integer, ties to even; for magnitudes below 2^22.
inline Integers rounded(Vector x) {
  const Vector shifted = x + 12582912.0f;
  return reinterpret_cast<Integers>(shifted) - 0x4b400000;
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

template <class Number>
void quantise_rows(const Number* x, std::uint8_t* bytes, float* scales, std::int64_t rows,
                   std::int64_t width) {
  for (std::int64_t r = 0; r < rows; ++r, x += width, bytes += width) {
    const Scaling scaling = scaling_for(largest_magnitude(x, width));
    scales[r] = scaling.scale;
    by_vectors(
        width,
        [&](std::int64_t i) {
          *reinterpret_cast<LooseBytes*>(bytes + i) =
              reinterpret_cast<Bytes>(bytes_of(rounded(load(x + i) * scaling.factor) + 128));
        },
        [&](std::int64_t i, std::int64_t n) {
          const Integers numbers = rounded(load_part(x + i, n) * scaling.factor) + 128;
          for (std::int64_t j = 0; j < n && j < kLanes; ++j)
            bytes[i + j] = static_cast<std::uint8_t>(numbers[j]);
        });
  }
}

template <class Number>
void round_rows(const Number* x, Number* y, std::int64_t rows, std::int64_t width) {
  for (std::int64_t r = 0; r < rows; ++r, x += width, y += width) {
    const Scaling scaling = scaling_for(largest_magnitude(x, width));
    const auto there_and_back = [&](Vector v) {
      return __builtin_convertvector(rounded(v * scaling.factor), Vector) * scaling.scale;
    };
    by_vectors(
        width, [&](std::int64_t i) { store(y + i, there_and_back(load(x + i))); },
        [&](std::int64_t i, std::int64_t n) { store_part(y + i, there_and_back(load_part(x + i, n)), n); });
  }
}

template <class Number>
void scale_sums(const Int8Sums<Number>& s) {
  const std::int32_t *sums = s.sums, *column_offsets = s.column_offsets;
  const float *column_scales = s.column_scales, *bias = s.bias;
  const bool relu = s.relu;
  Number* y = s.y;
  const std::int64_t rows = s.rows, columns = s.columns, y_stride = s.y_stride;
  for (std::int64_t r = 0; r < rows; ++r, sums += columns, y += y_stride) {
    const float row_scale = s.row_scales[r];
    const auto scaled = [&](Integers sum, std::int64_t i, std::int64_t n) {
      Vector v = __builtin_convertvector(sum, Vector) * (take(column_scales + i, n) * row_scale);
      if (bias != nullptr) v += take(bias + i, n);
      return relu ? larger(Vector{}, v) : v;  // this order keeps NaN
    };
    by_vectors(
        columns,
        [&](std::int64_t i) {
          const Integers sum = *reinterpret_cast<const LooseIntegers*>(sums + i) +
                               *reinterpret_cast<const LooseIntegers*>(column_offsets + i);
          store(y + i, scaled(sum, i, kLanes));
        },
        [&](std::int64_t i, std::int64_t n) {
          Integers sum{};
          for (std::int64_t j = 0; j < n && j < kLanes; ++j) sum[j] = sums[i + j] + column_offsets[i + j];
          store_part(y + i, scaled(sum, i, n), n);
        });
  }
}

void quantise(const float* from, std::int8_t* to, float* scale, std::int64_t count) {
  const Scaling scaling = scaling_for(largest_magnitude(from, count));
  *scale = scaling.scale;
  by_vectors(
      count,
      [&](std::int64_t i) {
        *reinterpret_cast<LooseSignedBytes*>(to + i) = bytes_of(rounded(load(from + i) * scaling.factor));
      },
      [&](std::int64_t i, std::int64_t n) {
        const Integers numbers = rounded(load_part(from + i, n) * scaling.factor);
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
  k.f32.quantise_rows = quantise_rows;
  k.f32.round_rows = round_rows;
  k.f32.scale_sums = scale_sums;
  k.bf16.quantise_rows = quantise_rows;
  k.bf16.round_rows = round_rows;
  k.bf16.scale_sums = scale_sums;
  k.quantise = quantise;
  k.dequantise = dequantise;
  k.widen = widen;
}

}  // namespace gloss::GLOSS_LOOPS

// SPDX-License-Identifier: Apache-2.0

#pragma once

// Vectors for the files loops_*.cc, which are compiled once per instruction set. They must not include
// standard headers with functions: the linker could pick an inline function compiled for AVX-512 for code
// that runs on every processor.

#include <cstdint>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "model/kernels/kernels.h"

namespace gloss::GLOSS_LOOPS {
namespace {

#if defined(__AVX512F__)
constexpr int kLanes = 16;
#elif defined(__AVX2__)
constexpr int kLanes = 8;
#else
constexpr int kLanes = 4;
#endif

typedef float Vector __attribute__((vector_size(kLanes * 4)));
typedef std::int32_t Integers __attribute__((vector_size(kLanes * 4)));
typedef std::uint32_t Unsigned __attribute__((vector_size(kLanes * 4)));
typedef float LooseVector __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));

typedef std::uint16_t Halves __attribute__((vector_size(kLanes * 2)));
typedef std::uint16_t LooseHalves __attribute__((vector_size(kLanes * 2), aligned(2), may_alias));

inline Vector load(const float* from) { return *reinterpret_cast<const LooseVector*>(from); }
inline void store(float* to, Vector value) { *reinterpret_cast<LooseVector*>(to) = value; }

inline Vector load(const Bf16* from) {
#if defined(__AVX512F__)  // GCC 12 widens in two halves
  const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  return reinterpret_cast<Vector>(reinterpret_cast<Unsigned>(_mm512_maskz_cvtepu16_epi32(0xffff, halves))
                                  << 16);
#else
  const Halves halves = *reinterpret_cast<const LooseHalves*>(from);
  return reinterpret_cast<Vector>(__builtin_convertvector(halves, Unsigned) << 16);
#endif
}
/// Rounds to the nearest, ties to even.
inline Halves narrowed(Vector value) {
#if defined(__AVX512BF16__)
  return reinterpret_cast<Halves>(_mm512_cvtneps_pbh(value));
#else
  const Unsigned bits = reinterpret_cast<Unsigned>(value);
  const Unsigned rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return __builtin_convertvector(value == value ? rounded : (bits >> 16) | 0x40u, Halves);
#endif
}
inline void store(Bf16* to, Vector value) { *reinterpret_cast<LooseHalves*>(to) = narrowed(value); }

inline Vector all(float value) { return value - Vector{}; }

inline Vector larger(Vector a, Vector b) { return a > b ? a : b; }
inline Vector smaller(Vector a, Vector b) { return a < b ? a : b; }

/// The integers 0, 1, 2, ...
inline Integers counting() {
  Integers count{};
  for (int i = 0; i < kLanes; ++i) count[i] = i;
  return count;
}

/// Selects elements of the concatenation of `a` and `b` by index.
inline Vector shuffled(Vector a, Vector b, Integers places) {
#if defined(__clang__)  // has no shuffle by indices computed in a loop
  Vector result{};
  for (int i = 0; i < kLanes; ++i) result[i] = places[i] < kLanes ? a[places[i]] : b[places[i] - kLanes];
  return result;
#else
  return __builtin_shuffle(a, b, places);
#endif
}
inline Vector shuffled(Vector a, Integers places) { return shuffled(a, a, places); }

inline float sum(Vector v) {
  for (int half = kLanes / 2; half > 0; half /= 2) v += shuffled(v, counting() ^ half);
  return v[0];
}
/// Halves the number of vectors: adds adjacent blocks of `Width` lanes of each pair.
template <int Width>
inline void add_halves(Vector* v) {
  Integers first{};
  for (int i = 0; i < kLanes; ++i) {
    const int block = i / Width;
    first[i] = block / 2 * 2 * Width + i % Width + block % 2 * kLanes;
  }
  const Integers second = first + Width;
  for (int i = 0; i < Width; ++i) {
    v[i] = shuffled(v[i], v[i + Width], first) + shuffled(v[i], v[i + Width], second);
  }
  if constexpr (Width > 1) add_halves<Width / 2>(v);
}
/// Sums each of `lanes` vectors; the order of the additions does not depend on a vector's index.
inline Vector sums_of(Vector* v) {
  add_halves<kLanes / 2>(v);
  return v[0];
}
inline float largest(Vector v) {
  for (int half = kLanes / 2; half > 0; half /= 2) v = larger(v, shuffled(v, counting() ^ half));
  return v[0];
}

/// A bit for each element of `a` that is larger than `b`; the first element has the lowest bit.
inline unsigned larger_lanes(Vector a, float b) {
#if defined(__AVX512F__)
  return _mm512_cmp_ps_mask(a, all(b), _CMP_GT_OQ);
#elif defined(__AVX2__)
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(a, all(b), _CMP_GT_OQ)));
#else
  unsigned bits = 0;
  for (int i = 0; i < kLanes; ++i) bits |= static_cast<unsigned>(a[i] > b) << i;
  return bits;
#endif
}

/// e^x to about 2 units in the last place; 0 below -87.3, and never more than 3e38. Splits x = n ln 2 + r and
/// evaluates a polynomial in r (Cephes, Moshier 1992).
inline Vector exponential(Vector x) {
  const Integers tiny = x < all(-87.3f);
  x = smaller(all(88.0f), larger(all(-87.3f), x));       // this order keeps NaN
  const Vector shifted = x * 1.44269504f + 12582912.0f;  // rounds to the nearest integer
  const Vector n = shifted - 12582912.0f;
  Vector r = x - n * 0.693359375f;
  r = r + n * 2.12194440e-4f;
  Vector p = all(1.9875691500e-4f);
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  const Integers power = (__builtin_convertvector(n, Integers) + 127) << 23;
  const Vector result = p * reinterpret_cast<Vector>(power);
  return tiny ? Vector{} : result;
}

inline Vector logistic(Vector x) { return 1.0f / (1.0f + exponential(-x)); }
inline Vector hyperbolic_tangent(Vector x) { return 2.0f * logistic(2.0f * x) - 1.0f; }

/// The factors of elements index .. index + lanes - 1: the scale where dropout keeps the element, else 0. The
/// hash is Murmur3's finaliser with the key mixed in twice.
inline Vector dropout_factors(const DropoutMask& mask, std::int64_t index) {
  Unsigned x = reinterpret_cast<Unsigned>(counting()) + static_cast<std::uint32_t>(index);
  x = x * 0x9e3779b9u + static_cast<std::uint32_t>(mask.key);
  x ^= x >> 16;
  x *= 0x85ebca6bu;
  x ^= x >> 13;
  x += static_cast<std::uint32_t>(mask.key >> 32) ^ static_cast<std::uint32_t>(index >> 32);
  x *= 0xc2b2ae35u;
  x ^= x >> 16;
  x *= 0x27d4eb2fu;
  x ^= x >> 15;
  const Unsigned threshold = mask.threshold - Unsigned{};
  return x >= threshold ? all(mask.scale) : Vector{};
}

inline float number(float value) { return value; }
inline float number(Bf16 value) { return __builtin_bit_cast(float, std::uint32_t(value.bits) << 16); }
inline void put(float* to, float value) { *to = value; }
inline void put(Bf16* to, float value) { to->bits = narrowed(all(value))[0]; }

/// Loads the first `count` elements from memory; the others are `filler`.
template <class Number>
inline Vector load_part(const Number* from, std::int64_t count, float filler = 0.0f) {
  Vector v = all(filler);
  for (std::int64_t i = 0; i < count && i < kLanes; ++i) v[i] = number(from[i]);
  return v;
}
template <class Number>
inline void store_part(Number* to, Vector value, std::int64_t count) {
  for (std::int64_t i = 0; i < count && i < kLanes; ++i) put(to + i, value[i]);
}
/// Loads `count` elements, usually a whole vector.
template <class Number>
inline Vector take(const Number* from, std::int64_t count) {
  return count == kLanes ? load(from) : load_part(from, count);
}
template <class Number>
inline void give(Number* to, Vector value, std::int64_t count) {
  if (count == kLanes) {
    store(to, value);
  } else {
    store_part(to, value, count);
  }
}

/// The count rounded up to whole vectors.
inline std::int64_t padded(std::int64_t count) { return (count + kLanes - 1) / kLanes * kLanes; }

/// Calls `whole(i)` for each full vector and `part(i, rest)` for the rest of `count` elements.
template <class Whole, class Part>
inline void by_vectors(std::int64_t count, Whole whole, Part part) {
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) whole(i);
  if (i < count) part(i, count - i);
}

/// Calls `f(position, count)` for each vector of `count` elements; the last may be partial.
template <class Function>
inline void vectors(std::int64_t count, Function f) {
  by_vectors(
      count, [&](std::int64_t i) { f(i, kLanes); }, f);
}

/// Calls `f(position, count, mask factors)` for `count` elements whose first has dropout index `first`.
template <class Function>
inline void masked(std::int64_t first, std::int64_t count, const DropoutMask& mask, Function f) {
  if (mask.threshold > 0) {
    by_vectors(
        count, [&](std::int64_t i) { f(i, kLanes, dropout_factors(mask, first + i)); },
        [&](std::int64_t i, std::int64_t rest) { f(i, rest, dropout_factors(mask, first + i)); });
  } else {
    by_vectors(
        count, [&](std::int64_t i) { f(i, kLanes, all(1.0f)); },
        [&](std::int64_t i, std::int64_t rest) { f(i, rest, all(1.0f)); });
  }
}

}  // namespace
}  // namespace gloss::GLOSS_LOOPS

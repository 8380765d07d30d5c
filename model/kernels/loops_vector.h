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

/// The lanes of sums: element i of a row is added to lane i % kSumLanes with every instruction set.
constexpr int kSumLanes = 16;

typedef float Register __attribute__((vector_size(kLanes * 4)));
typedef std::int32_t Integers __attribute__((vector_size(kLanes * 4)));
typedef std::uint32_t Unsigned __attribute__((vector_size(kLanes * 4)));
typedef float LooseRegister __attribute__((vector_size(kLanes * 4), aligned(4), may_alias));

typedef std::uint16_t Halves __attribute__((vector_size(kLanes * 2)));
typedef std::uint16_t LooseHalves __attribute__((vector_size(kLanes * 2), aligned(2), may_alias));

/// a * b + c, rounded once.
inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline Register fused(Register a, Register b, Register c) {
#if defined(__AVX512F__)
  return _mm512_fmadd_ps(a, b, c);
#elif defined(__AVX2__)
  return _mm256_fmadd_ps(a, b, c);
#elif defined(__FMA__)
  return _mm_fmadd_ps(a, b, c);
#else
  for (int i = 0; i < kLanes; ++i) c[i] = __builtin_fmaf(a[i], b[i], c[i]);
  return c;
#endif
}

/// Two vectors whose product is not yet rounded: a sum or a difference with it is rounded once, any other use
/// rounds it.
struct Factors {
  Register a, b;
};

/// Numbers with the arithmetic of IEEE 754. Which products are fused with sums follows from the expressions
/// alone, so results have the same bits with all compilers and instruction sets: the compiler is not allowed
/// to fuse any (-ffp-contract=off).
struct Vector {
  Register lanes;

  Vector() = default;
  Vector(Register given) : lanes(given) {}
  Vector(float value) : lanes(value - Register{}) {}
  Vector(const Factors& p) : lanes(p.a * p.b) {}
};

inline Vector operator-(Vector a) { return -a.lanes; }
inline Vector operator+(Vector a, Vector b) { return a.lanes + b.lanes; }
inline Vector operator-(Vector a, Vector b) { return a.lanes - b.lanes; }
inline Factors operator*(Vector a, Vector b) { return {a.lanes, b.lanes}; }
inline Vector operator/(Vector a, Vector b) { return a.lanes / b.lanes; }
inline Vector operator+(const Factors& p, Vector c) { return fused(p.a, p.b, c.lanes); }
inline Vector operator+(Vector c, const Factors& p) { return fused(p.a, p.b, c.lanes); }
inline Vector operator-(const Factors& p, Vector c) { return fused(p.a, p.b, -c.lanes); }
inline Vector operator-(Vector c, const Factors& p) { return fused(-p.a, p.b, c.lanes); }
/// The second product is rounded.
inline Vector operator+(const Factors& p, const Factors& q) { return p + Vector(q); }
inline Vector operator-(const Factors& p, const Factors& q) { return p - Vector(q); }
inline Vector& operator+=(Vector& a, Vector b) { return a = a + b; }
inline Vector& operator+=(Vector& a, const Factors& p) { return a = a + p; }
inline Vector& operator-=(Vector& a, Vector b) { return a = a - b; }
inline Vector& operator-=(Vector& a, const Factors& p) { return a = a - p; }
inline Vector& operator*=(Vector& a, Vector b) { return a = a * b; }
inline Integers operator<(Vector a, Vector b) { return a.lanes < b.lanes; }
inline Integers operator>(Vector a, Vector b) { return a.lanes > b.lanes; }

inline Vector load(const float* from) { return *reinterpret_cast<const LooseRegister*>(from); }
inline void store(float* to, Vector value) { *reinterpret_cast<LooseRegister*>(to) = value.lanes; }

inline Unsigned bits_of(Vector v) { return reinterpret_cast<Unsigned>(v.lanes); }
template <class Bits>
inline Vector of_bits(Bits bits) {
  return reinterpret_cast<Register>(bits);
}
inline Vector of_integers(Integers integers) { return __builtin_convertvector(integers, Register); }

inline Vector load(const Bf16* from) {
#if defined(__AVX512F__)  // GCC 12 widens in two halves
  const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  return of_bits(reinterpret_cast<Unsigned>(_mm512_maskz_cvtepu16_epi32(0xffff, halves)) << 16);
#else
  const Halves halves = *reinterpret_cast<const LooseHalves*>(from);
  return of_bits(__builtin_convertvector(halves, Unsigned) << 16);
#endif
}
/// Rounds to the nearest, ties to even.
inline Halves narrowed(Vector value) {
#if defined(__AVX512BF16__)
  // The instruction would replace numbers below the smallest normal one by zeros.
  constexpr int kSubnormal = 0x20;
  if (__builtin_expect(_mm512_fpclass_ps_mask(value.lanes, kSubnormal) == 0, 1))
    return reinterpret_cast<Halves>(_mm512_cvtneps_pbh(value.lanes));
#endif
  const Unsigned bits = bits_of(value);
  const Unsigned rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  return __builtin_convertvector(value.lanes == value.lanes ? rounded : (bits >> 16) | 0x40u, Halves);
}
inline void store(Bf16* to, Vector value) { *reinterpret_cast<LooseHalves*>(to) = narrowed(value); }

inline Vector all(float value) { return value; }

/// The elements of `a` where `mask` is set, else those of `b`.
template <class Mask>
inline Vector chosen(Mask mask, Vector a, Vector b) {
  return mask ? a.lanes : b.lanes;
}
inline Vector larger(Vector a, Vector b) { return chosen(a > b, a, b); }
inline Vector smaller(Vector a, Vector b) { return chosen(a < b, a, b); }

/// The integers 0, 1, 2, ...
inline Integers counting() {
  Integers count{};
  for (int i = 0; i < kLanes; ++i) count[i] = i;
  return count;
}

/// Selects elements of the concatenation of `a` and `b` by index.
inline Vector shuffled(Vector a, Vector b, Integers places) {
#if defined(__clang__)  // has no shuffle by indices computed in a loop
  Register result{};
  for (int i = 0; i < kLanes; ++i)
    result[i] = places[i] < kLanes ? a.lanes[places[i]] : b.lanes[places[i] - kLanes];
  return result;
#else
  return __builtin_shuffle(a.lanes, b.lanes, places);
#endif
}
inline Vector shuffled(Vector a, Integers places) { return shuffled(a, a, places); }

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
inline float largest(Vector v) {
  for (int half = kLanes / 2; half > 0; half /= 2) v = larger(v, shuffled(v, counting() ^ half));
  return v.lanes[0];
}

/// Sums of the elements of a row by lane, kSumLanes of them or a multiple, in as many vectors as that takes.
template <int Lanes = kSumLanes>
struct Sums {
  static constexpr int kParts = Lanes / kLanes;
  Vector parts[kParts];

  /// The sums of lanes i, i + kLanes, i + 2 kLanes ..., added in pairs as `sum` does.
  Vector folded() const {
    Vector v[kParts];
    for (int p = 0; p < kParts; ++p) v[p] = parts[p];
    for (int half = kParts / 2; half > 0; half /= 2) {
      for (int p = 0; p < half; ++p) v[p] += v[p + half];
    }
    return v[0];
  }
};
/// Adds the upper half of the lanes to the lower one until a single lane is left.
template <int Lanes>
inline float sum(const Sums<Lanes>& sums) {
  Vector v = sums.folded();
  for (int half = kLanes / 2; half > 0; half /= 2) v += shuffled(v, counting() ^ half);
  return v.lanes[0];
}
/// The sums of kLanes folded sums, with the same additions.
inline Vector sums_of(Vector* v) {
  add_halves<kLanes / 2>(v);
  return v[0];
}

/// Calls `f(part, position, count)` for each vector of `count` elements, where `part` is the part of the sums
/// that it belongs to. The elements after the last whole block of lanes belong to the first kSumLanes lanes.
template <int Lanes = kSumLanes, class Function>
inline void by_lanes(std::int64_t count, Function f) {
  constexpr int kParts = kSumLanes / kLanes;
  std::int64_t i = 0;
  for (; i + Lanes <= count; i += Lanes) {
#pragma GCC unroll 8
    for (int p = 0; p < Sums<Lanes>::kParts; ++p) f(p, i + p * kLanes, std::int64_t{kLanes});
  }
  if constexpr (Lanes > kSumLanes) {
    for (; i + kSumLanes <= count; i += kSumLanes) {
#pragma GCC unroll 8
      for (int p = 0; p < kParts; ++p) f(p, i + p * kLanes, std::int64_t{kLanes});
    }
  }
#pragma GCC unroll 8
  for (int p = 0; p < kParts; ++p, i += kLanes) {
    if (i >= count) return;
    f(p, i, count - i < kLanes ? count - i : std::int64_t{kLanes});
  }
}

/// The sum of `value(position, count)` over the vectors of `count` elements.
template <class Value>
inline float sum_over(std::int64_t count, Value value) {
  Sums<> sums{};
  by_lanes(count, [&](int p, std::int64_t i, std::int64_t n) { sums.parts[p] += value(i, n); });
  return sum(sums);
}

/// A bit for each element of `a` that is larger than `b`; the first element has the lowest bit.
inline unsigned larger_lanes(Vector a, float b) {
#if defined(__AVX512F__)
  return _mm512_cmp_ps_mask(a.lanes, all(b).lanes, _CMP_GT_OQ);
#elif defined(__AVX2__)
  return static_cast<unsigned>(_mm256_movemask_ps(_mm256_cmp_ps(a.lanes, all(b).lanes, _CMP_GT_OQ)));
#else
  unsigned bits = 0;
  for (int i = 0; i < kLanes; ++i) bits |= static_cast<unsigned>(a.lanes[i] > b) << i;
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
  const Integers power = (__builtin_convertvector(n.lanes, Integers) + 127) << 23;
  return chosen(tiny, Vector{}, p * of_bits(power));
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
  return chosen(x >= threshold, all(mask.scale), Vector{});
}

inline float number(float value) { return value; }
inline float number(Bf16 value) { return __builtin_bit_cast(float, std::uint32_t(value.bits) << 16); }
inline void put(float* to, float value) { *to = value; }
inline void put(Bf16* to, float value) { to->bits = narrowed(all(value))[0]; }

/// Loads the first `count` elements from memory; the others are `filler`.
template <class Number>
inline Vector load_part(const Number* from, std::int64_t count, float filler = 0.0f) {
  Vector v = all(filler);
  for (std::int64_t i = 0; i < count && i < kLanes; ++i) v.lanes[i] = number(from[i]);
  return v;
}
template <class Number>
inline void store_part(Number* to, Vector value, std::int64_t count) {
  for (std::int64_t i = 0; i < count && i < kLanes; ++i) put(to + i, value.lanes[i]);
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

/// The count rounded up to whole blocks of lanes of sums, which are whole vectors.
inline std::int64_t padded(std::int64_t count) { return (count + kSumLanes - 1) / kSumLanes * kSumLanes; }
/// The last start of a block of lanes up to `position`.
inline std::int64_t block_start(std::int64_t position) { return position / kSumLanes * kSumLanes; }

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

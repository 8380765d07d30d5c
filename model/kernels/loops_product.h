// SPDX-License-Identifier: Apache-2.0

#pragma once

// Products of small f32 matrices with rows of whole vectors, for the files loops_*.cc.

#include "model/kernels/loops_vector.h"

namespace gloss::GLOSS_LOOPS {
namespace {

constexpr std::int64_t kProductRows = 6;  // of a tile that is in registers

/// c [m, n] = a [m, k] b [k, n] (+ c), all f32. n is a multiple of the lanes.
struct Product {
  std::int64_t m, n, k;
  const float* a;
  std::int64_t a_row;    // elements from one row of a to the next
  std::int64_t a_k = 1;  // elements from one column of a to the next
  const float* b;
  std::int64_t b_row;  // elements from one row of b to the next
  float* c;
  std::int64_t c_row;       // elements from one row of c to the next
  bool accumulate = false;  // adds to c instead of writing it
};

/// One tile of c: R rows by C vectors from (row, column), summed over k in order, so that a result does not
/// depend on the tile that computes it.
template <int R, int C>
inline void tile(const Product& p, std::int64_t row, std::int64_t column) {
  const std::int64_t a_row = p.a_row, a_k = p.a_k, b_row = p.b_row, c_row = p.c_row, k_count = p.k;
  const float* a = p.a + row * a_row;
  const float* b = p.b + column;
  float* c = p.c + row * c_row + column;
  Vector sums[R][C];
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < C; ++v) sums[r][v] = p.accumulate ? load(c + r * c_row + v * kLanes) : Vector{};
  }
  for (std::int64_t k = 0; k < k_count; ++k) {
    Vector numbers[C];
    for (int v = 0; v < C; ++v) numbers[v] = load(b + k * b_row + v * kLanes);
    for (int r = 0; r < R; ++r) {
      const Vector factor = all(a[r * a_row + k * a_k]);
      for (int v = 0; v < C; ++v) sums[r][v] += factor * numbers[v];
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < C; ++v) store(c + r * c_row + v * kLanes, sums[r][v]);
  }
}

/// All rows of C vectors of c from `column`.
template <int C>
inline void panel(const Product& p, std::int64_t column) {
  std::int64_t r = 0;
  for (; r + kProductRows <= p.m; r += kProductRows) tile<kProductRows, C>(p, r, column);
  for (; r + 2 <= p.m; r += 2) tile<2, C>(p, r, column);
  for (; r < p.m; ++r) tile<1, C>(p, r, column);
}

inline void multiply(const Product& p) {
  std::int64_t column = 0;
  for (; column + 2 * kLanes <= p.n; column += 2 * kLanes) panel<2>(p, column);
  for (; column < p.n; column += kLanes) panel<1>(p, column);
}

/// Copies rows of `width` elements, `stride` apart, to rows `padded_width` apart, zero-padded.
template <class Number>
inline void copy_rows(const Number* from, std::int64_t stride, float* to, std::int64_t padded_width,
                      std::int64_t rows, std::int64_t width) {
  for (std::int64_t r = 0; r < rows; ++r, from += stride, to += padded_width) {
    std::int64_t i = 0;
    for (; i + kLanes <= width; i += kLanes) store(to + i, load(from + i));
    if (i < width) {
      store(to + i, load_part(from + i, width - i));
      i += kLanes;
    }
    for (; i < padded_width; i += kLanes) store(to + i, Vector{});
  }
}

/// Copies dense rows to their strided destination, or adds them to it.
template <class Number>
inline void give_rows(const float* from, std::int64_t padded_width, Number* to, std::int64_t stride,
                      std::int64_t rows, std::int64_t width, bool accumulate) {
  for (std::int64_t r = 0; r < rows; ++r, from += padded_width, to += stride) {
    for (std::int64_t i = 0; i < width; i += kLanes) {
      const std::int64_t n = width - i < kLanes ? width - i : kLanes;
      const Vector v = load(from + i);
      give(to + i, accumulate ? take(to + i, n) + v : v, n);
    }
  }
}

/// Transposes rows to [width, padded_rows], zero-padded.
template <class Number>
inline void copy_transposed(const Number* from, std::int64_t stride, float* to, std::int64_t padded_rows,
                            std::int64_t rows, std::int64_t width) {
  for (std::int64_t c = 0; c < width; ++c, to += padded_rows) {
    for (std::int64_t r = 0; r < rows; ++r) to[r] = number(from[r * stride + c]);
    for (std::int64_t r = rows; r < padded_rows; ++r) to[r] = 0;
  }
}

}  // namespace
}  // namespace gloss::GLOSS_LOOPS

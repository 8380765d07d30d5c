// SPDX-License-Identifier: Apache-2.0

#pragma once

// The features of queries and keys of linear attention, and their sums over keys, for loops_linear*.cc.
//
// Letters: n rows, d head width, m features; F features of a block [rows, m], V values, S = F(keys)^T V [m,
// d], z = the sums of F(keys) over rows [m]. Widths are zero-padded to whole vectors.

#include "model/kernels/loops_product.h"

namespace gloss::GLOSS_LOOPS {
namespace {

constexpr std::int64_t kLinearBlock = 64;  // rows

/// Memory of a call.
struct LinearScratch {
  std::int64_t dp, mp;
  float *w, *w_t, *s, *s_t, *z;           // w: [m, dp], w_t: [d, mp], s: [m, dp], s_t: [d, mp], z: [mp]
  float *ds, *ds_t, *dz;                  // gradients
  float *x, *v, *o, *dx, *f, *df, *half;  // of a block

  static std::int64_t size(std::int64_t d, std::int64_t m) {
    const std::int64_t dp = padded(d), mp = padded(m);
    return 3 * m * dp + 3 * d * mp + 2 * mp + 4 * kLinearBlock * dp + 2 * kLinearBlock * mp + kLinearBlock;
  }
  LinearScratch(float* memory, std::int64_t d, std::int64_t m) : dp(padded(d)), mp(padded(m)) {
    const auto part = [&](std::int64_t count) {
      float* const first = memory;
      memory += count;
      return first;
    };
    w = part(m * dp), s = part(m * dp), ds = part(m * dp);
    w_t = part(d * mp), s_t = part(d * mp), ds_t = part(d * mp);
    z = part(mp), dz = part(mp);
    x = part(kLinearBlock * dp), v = part(kLinearBlock * dp), o = part(kLinearBlock * dp);
    dx = part(kLinearBlock * dp);
    f = part(kLinearBlock * mp), df = part(kLinearBlock * mp);
    half = part(kLinearBlock);
  }
};

inline void clear(float* x, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) x[i] = 0;
}

/// Copies rows times `scale` to c.x and their exponents w . x - |x|^2 / 2 to c.f.
template <class Number>
void block_exponents(const LinearHead<Number>& h, const Number* from, std::int64_t rows,
                     const LinearScratch& c) {
  copy_rows(from, h.stride, c.x, c.dp, rows, h.head_width);
  for (std::int64_t r = 0; r < rows; ++r) {
    c.half[r] = 0.5f * sum_over(c.dp, [&](std::int64_t i, std::int64_t) {
                  const Vector x = load(c.x + r * c.dp + i) * h.scale;
                  store(c.x + r * c.dp + i, x);
                  return x * x;
                });
  }
  multiply({.m = rows,
            .n = c.mp,
            .k = h.head_width,
            .a = c.x,
            .a_row = c.dp,
            .b = c.w_t,
            .b_row = c.mp,
            .c = c.f,
            .c_row = c.mp});
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t i = 0; i < c.mp; i += kLanes)
      store(c.f + r * c.mp + i, load(c.f + r * c.mp + i) - c.half[r]);
  }
}

/// The largest exponent of a row.
inline float top_of_row(const float* exponents, std::int64_t m) {
  Vector high = all(-3.0e38f);
  vectors(m, [&](std::int64_t i, std::int64_t n) {
    high = larger(high, n == kLanes ? load(exponents + i) : load_part(exponents + i, n, -3.0e38f));
  });
  return largest(high);
}

/// Turns the exponents of a row into features; those beyond m are 0.
template <class Number>
inline void features_of_row(const LinearHead<Number>& h, float* row, std::int64_t mp, float top) {
  const Integers lane = counting();
  for (std::int64_t i = 0; i < mp; i += kLanes) {
    const Integers inside = lane + static_cast<std::int32_t>(i) < static_cast<std::int32_t>(h.feature_count);
    const Vector value = exponential(load(row + i) - top) + h.smallest_feature;
    store(row + i, chosen(inside, value, Vector{}));
  }
}

/// Calls `use(first row, rows)` for each block.
template <class Use>
inline void linear_blocks(std::int64_t n, Use use) {
  for (std::int64_t first = 0; first < n; first += kLinearBlock)
    use(first, n - first < kLinearBlock ? n - first : kLinearBlock);
}

/// to [m, dp] += the transpose of f [rows, mp] by x [rows, dp].
inline void add_outer(const LinearScratch& c, std::int64_t m, std::int64_t rows, const float* f,
                      const float* x, float* to) {
  multiply({.m = m,
            .n = c.dp,
            .k = rows,
            .a = f,
            .a_row = 1,
            .a_k = c.mp,
            .b = x,
            .b_row = c.dp,
            .c = to,
            .c_row = c.dp,
            .accumulate = true});
}

/// to [mp] += the rows of f.
inline void add_features(const LinearScratch& c, std::int64_t rows, const float* f, float* to) {
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t i = 0; i < c.mp; i += kLanes) store(to + i, load(to + i) + load(f + r * c.mp + i));
  }
}

/// The features of a block of keys in c.f, the keys in c.x.
template <class Number>
void key_features(const LinearHead<Number>& h, std::int64_t first, std::int64_t rows, float top,
                  const LinearScratch& c) {
  block_exponents(h, h.keys + first * h.stride, rows, c);
  for (std::int64_t r = 0; r < rows; ++r) features_of_row(h, c.f + r * c.mp, c.mp, top);
}

template <class Number>
void query_features(const LinearHead<Number>& h, std::int64_t first, std::int64_t rows,
                    const LinearScratch& c) {
  block_exponents(h, h.queries + first * h.stride, rows, c);
  for (std::int64_t r = 0; r < rows; ++r) {
    float* const row = c.f + r * c.mp;
    features_of_row(h, row, c.mp, top_of_row(row, h.feature_count));
  }
}

/// Fills w and w_t.
template <class Number>
void copy_directions(const LinearHead<Number>& h, const LinearScratch& c) {
  const std::int64_t d = h.head_width, m = h.feature_count;
  copy_rows(h.features, d, c.w, c.dp, m, d);
  copy_transposed(h.features, d, c.w_t, c.mp, m, d);
}

/// Fills w, w_t, s and z; returns the largest exponent of all keys.
template <class Number>
float sums_of_keys(const LinearHead<Number>& h, const LinearScratch& c) {
  const std::int64_t d = h.head_width, m = h.feature_count;
  copy_directions(h, c);
  clear(c.s, m * c.dp);
  clear(c.z, c.mp);
  float top = -3.0e38f;
  linear_blocks(h.count, [&](std::int64_t first, std::int64_t rows) {
    block_exponents(h, h.keys + first * h.stride, rows, c);
    for (std::int64_t r = 0; r < rows; ++r) {
      const float of_row = top_of_row(c.f + r * c.mp, m);
      top = of_row > top ? of_row : top;
    }
  });
  linear_blocks(h.count, [&](std::int64_t first, std::int64_t rows) {
    key_features(h, first, rows, top, c);
    copy_rows(h.values + first * h.stride, h.stride, c.v, c.dp, rows, d);
    add_outer(c, m, rows, c.f, c.v, c.s);
    add_features(c, rows, c.f, c.z);
  });
  return top;
}

/// The gradient of a block's rows in c.dx, from the gradient of their features in c.df: the slope of a
/// feature is the feature.
template <class Number>
void exponents_gradient(const LinearHead<Number>& h, std::int64_t rows, const LinearScratch& c) {
  for (std::int64_t r = 0; r < rows; ++r) {
    c.half[r] = sum_over(c.mp, [&](std::int64_t i, std::int64_t) {
      const Vector feature = load(c.f + r * c.mp + i);
      const Vector slope =
          chosen(feature > Vector{}, (feature - h.smallest_feature) * load(c.df + r * c.mp + i), Vector{});
      store(c.df + r * c.mp + i, slope);
      return slope;
    });
  }
  multiply({.m = rows,
            .n = c.dp,
            .k = h.feature_count,
            .a = c.df,
            .a_row = c.mp,
            .b = c.w,
            .b_row = c.dp,
            .c = c.dx,
            .c_row = c.dp});
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t i = 0; i < c.dp; i += kLanes) {
      float* const dx = c.dx + r * c.dp + i;
      store(dx, (load(dx) - c.half[r] * load(c.x + r * c.dp + i)) * h.scale);
    }
  }
}

/// The sum of the weights of a query.
inline float weight_sum(const LinearScratch& c, std::int64_t r) {
  return sum_over(c.mp,
                  [&](std::int64_t i, std::int64_t) { return load(c.f + r * c.mp + i) * load(c.z + i); });
}

}  // namespace
}  // namespace gloss::GLOSS_LOOPS

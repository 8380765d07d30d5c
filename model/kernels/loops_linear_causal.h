// SPDX-License-Identifier: Apache-2.0

#pragma once

// What the passes forward and back of causal linear attention share, for loops_linear_causal*.cc.

#include "model/kernels/loops_linear_features.h"

namespace gloss::GLOSS_LOOPS {
namespace {

/// Memory of a call, besides that of the features. Rows of a block are also columns of `a`, `da`, `f_t` and
/// `v_t`.
struct CausalScratch : LinearScratch {
  float *other, *f_t, *v_t, *a, *da, *dv;

  static std::int64_t size(std::int64_t d, std::int64_t m) {
    const std::int64_t block = kLinearBlock;
    return LinearScratch::size(d, m) + block * (padded(m) + m + d + 2 * block + padded(d));
  }
  CausalScratch(float* memory, std::int64_t d, std::int64_t m) : LinearScratch(memory, d, m) {
    memory += LinearScratch::size(d, m);
    other = memory;                   // features of the other kind, [block, mp]
    f_t = other + kLinearBlock * mp;  // transposed features, [m, block]
    v_t = f_t + kLinearBlock * m;     // transposed values, [d, block]
    a = v_t + kLinearBlock * d;       // weights, [block, block]
    da = a + kLinearBlock * kLinearBlock;
    dv = da + kLinearBlock * kLinearBlock;  // [block, dp]
  }
};

inline void copy(const float* from, float* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) to[i] = from[i];
}

/// Sets the elements of [rows, block] to 0 whose column is a later row.
inline void clear_later(float* a, std::int64_t rows) {
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t i = r + 1; i < rows; ++i) a[r * kLinearBlock + i] = 0;
  }
}

/// The weights of a block in c.a: queries by keys, 0 for later keys. The keys' features are in c.f_t.
inline void block_weights(const CausalScratch& c, std::int64_t m, std::int64_t rows, const float* queries) {
  multiply({.m = rows,
            .n = padded(rows),
            .k = m,
            .a = queries,
            .a_row = c.mp,
            .b = c.f_t,
            .b_row = kLinearBlock,
            .c = c.a,
            .c_row = kLinearBlock});
  clear_later(c.a, rows);
}

}  // namespace
}  // namespace gloss::GLOSS_LOOPS

// SPDX-License-Identifier: Apache-2.0
// Linear attention of one head with positive random features, in blocks of rows, so that the scratch does not
// grow with the length of the sentence.
#include "model/kernels/loops_linear_features.h"

namespace gloss::GLOSS_LOOPS {
namespace {

std::int64_t linear_scratch(std::int64_t head_width, std::int64_t features) {
  return LinearScratch::size(head_width, features);
}

template <class Number>
void linear_attention(const LinearHead<Number>& h, Number* result, std::int64_t result_stride,
                      float* scratch) {
  const std::int64_t d = h.head_width, m = h.feature_count;
  const LinearScratch c(scratch, d, m);
  sums_of_keys(h, c);
  linear_blocks(h.count, [&](std::int64_t first, std::int64_t rows) {
    query_features(h, first, rows, c);
    multiply({.m = rows,
              .n = c.dp,
              .k = m,
              .a = c.f,
              .a_row = c.mp,
              .b = c.s,
              .b_row = c.dp,
              .c = c.o,
              .c_row = c.dp});
    for (std::int64_t r = 0; r < rows; ++r) {
      const float share = 1.0f / weight_sum(c, r);
      for (std::int64_t i = 0; i < c.dp; i += kLanes)
        store(c.o + r * c.dp + i, load(c.o + r * c.dp + i) * share);
    }
    give_rows(c.o, c.dp, result + first * result_stride, result_stride, rows, d, false);
  });
}

template <class Number>
void linear_attention_gradient(const LinearHead<Number>& h, const LinearHeadGradient<Number>& g,
                               float* scratch) {
  const std::int64_t d = h.head_width, m = h.feature_count;
  const LinearScratch c(scratch, d, m);
  const float top = sums_of_keys(h, c);
  copy_transposed(c.s, c.dp, c.s_t, c.mp, m, d);
  clear(c.ds, m * c.dp);
  clear(c.dz, c.mp);
  const auto features_gradient = [&](std::int64_t rows, const float* by_row, const float* transposed) {
    multiply({.m = rows,
              .n = c.mp,
              .k = d,
              .a = by_row,
              .a_row = c.dp,
              .b = transposed,
              .b_row = c.mp,
              .c = c.df,
              .c_row = c.mp});
  };
  linear_blocks(h.count, [&](std::int64_t first, std::int64_t rows) {
    query_features(h, first, rows, c);
    // c.o: the gradient of the sums of weighted values; c.v[r]: that of the sum of weights.
    copy_rows(g.result_gradient + first * g.result_stride, g.result_stride, c.o, c.dp, rows, d);
    copy_rows(g.result + first * g.result_stride, g.result_stride, c.dx, c.dp, rows, d);
    for (std::int64_t r = 0; r < rows; ++r) {
      const float share = 1.0f / weight_sum(c, r);
      c.v[r] = -sum_over(c.dp, [&](std::int64_t i, std::int64_t) {
        const Vector gradient = load(c.o + r * c.dp + i) * share;
        store(c.o + r * c.dp + i, gradient);
        return gradient * load(c.dx + r * c.dp + i);
      });
    }
    features_gradient(rows, c.o, c.s_t);
    for (std::int64_t r = 0; r < rows; ++r) {
      const Vector of_sum = all(c.v[r]);
      for (std::int64_t i = 0; i < c.mp; i += kLanes) {
        float* const df = c.df + r * c.mp + i;
        store(df, load(df) + of_sum * load(c.z + i));
        store(c.dz + i, load(c.dz + i) + of_sum * load(c.f + r * c.mp + i));
      }
    }
    add_outer(c, m, rows, c.f, c.o, c.ds);
    exponents_gradient(h, rows, c);
    give_rows(c.dx, c.dp, g.queries + first * h.stride, h.stride, rows, d, g.accumulate);
  });
  copy_transposed(c.ds, c.dp, c.ds_t, c.mp, m, d);
  linear_blocks(h.count, [&](std::int64_t first, std::int64_t rows) {
    key_features(h, first, rows, top, c);
    copy_rows(h.values + first * h.stride, h.stride, c.v, c.dp, rows, d);
    multiply({.m = rows,
              .n = c.dp,
              .k = m,
              .a = c.f,
              .a_row = c.mp,
              .b = c.ds,
              .b_row = c.dp,
              .c = c.o,
              .c_row = c.dp});
    give_rows(c.o, c.dp, g.values + first * h.stride, h.stride, rows, d, g.accumulate);
    features_gradient(rows, c.v, c.ds_t);
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t i = 0; i < c.mp; i += kLanes) {
        float* const df = c.df + r * c.mp + i;
        store(df, load(df) + load(c.dz + i));
      }
    }
    exponents_gradient(h, rows, c);
    give_rows(c.dx, c.dp, g.keys + first * h.stride, h.stride, rows, d, g.accumulate);
  });
}

template <class Number>
void add_loops(ActivationKernels<Number>& k) {
  k.linear_scratch = linear_scratch;
  k.linear_attention = linear_attention;
  k.linear_attention_gradient = linear_attention_gradient;
}

}  // namespace

void add_linear_loops(Kernels& k) {
  add_loops(k.f32);
  add_loops(k.bf16);
}

}  // namespace gloss::GLOSS_LOOPS

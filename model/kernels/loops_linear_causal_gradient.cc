// SPDX-License-Identifier: Apache-2.0
// Gradients of causal linear attention: those of queries from the first block to the last, with running sums
// over earlier keys; those of keys and values from the last block to the first, with running sums over later
// queries.
#include "model/kernels/loops_linear_causal.h"

namespace gloss::GLOSS_LOOPS {
namespace {

/// Puts the gradient of the sums of weighted values in c.o, that of the sums of weights in c.half, values in
/// c.v, and the gradient of the block's weights in c.da, 0 for later keys.
template <class Number>
void weights_gradient(const LinearHead<Number>& h, const LinearHeadGradient<Number>& g, std::int64_t first,
                      std::int64_t rows, const CausalScratch& c, float* of_sums) {
  const std::int64_t d = h.head_width;
  copy_rows(g.result_gradient + first * g.result_stride, g.result_stride, c.o, c.dp, rows, d);
  copy_rows(g.result + first * g.result_stride, g.result_stride, c.dx, c.dp, rows, d);
  copy_rows(h.values + first * h.stride, h.stride, c.v, c.dp, rows, d);
  copy_transposed(h.values + first * h.stride, h.stride, c.v_t, kLinearBlock, rows, d);
  for (std::int64_t r = 0; r < rows; ++r) {
    const float share = 1.0f / g.weight_sums[first + r];
    of_sums[r] = -sum_over(c.dp, [&](std::int64_t i, std::int64_t) {
      const Vector gradient = load(c.o + r * c.dp + i) * share;
      store(c.o + r * c.dp + i, gradient);
      return gradient * load(c.dx + r * c.dp + i);
    });
  }
  multiply({.m = rows,
            .n = padded(rows),
            .k = d,
            .a = c.o,
            .a_row = c.dp,
            .b = c.v_t,
            .b_row = kLinearBlock,
            .c = c.da,
            .c_row = kLinearBlock});
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t i = 0; i < rows; ++i) c.da[r * kLinearBlock + i] += of_sums[r];
  }
  clear_later(c.da, rows);
}

/// to [d, mp] += the transpose of x [rows, dp] by f [rows, mp].
inline void add_outer_transposed(const CausalScratch& c, std::int64_t d, std::int64_t rows, const float* x,
                                 const float* f, float* to) {
  multiply({.m = d,
            .n = c.mp,
            .k = rows,
            .a = x,
            .a_row = 1,
            .a_k = c.dp,
            .b = f,
            .b_row = c.mp,
            .c = to,
            .c_row = c.mp,
            .accumulate = true});
}

/// Steps in c.da between the rows of a product and between its columns.
struct WeightSteps {
  std::int64_t row, column;
};

/// c.df = the gradient of the block's weights, as it is or transposed, by c.other, and x [rows, dp] by
/// sums [d, mp] of other blocks.
inline void features_gradient(const CausalScratch& c, std::int64_t d, std::int64_t rows, WeightSteps steps,
                              const float* x, const float* sums) {
  multiply({.m = rows,
            .n = c.mp,
            .k = rows,
            .a = c.da,
            .a_row = steps.row,
            .a_k = steps.column,
            .b = c.other,
            .b_row = c.mp,
            .c = c.df,
            .c_row = c.mp});
  multiply({.m = rows,
            .n = c.mp,
            .k = d,
            .a = x,
            .a_row = c.dp,
            .b = sums,
            .b_row = c.mp,
            .c = c.df,
            .c_row = c.mp,
            .accumulate = true});
}

/// The gradient of queries, in the order of rows: keys and values before the block are summed in s_t and z.
template <class Number>
void queries_gradient(const LinearHead<Number>& h, const LinearHeadGradient<Number>& g,
                      const CausalScratch& c) {
  const std::int64_t d = h.head_width;
  clear(c.s_t, d * c.mp);
  clear(c.z, c.mp);
  float of_sums[kLinearBlock];
  linear_blocks(h.count, [&](std::int64_t first, std::int64_t rows) {
    key_features(h, first, rows, h.key_top, c);
    copy(c.f, c.other, rows * c.mp);
    weights_gradient(h, g, first, rows, c, of_sums);
    query_features(h, first, rows, c);
    features_gradient(c, d, rows, {kLinearBlock, 1}, c.o, c.s_t);
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t i = 0; i < c.mp; i += kLanes) {
        float* const df = c.df + r * c.mp + i;
        store(df, load(df) + of_sums[r] * load(c.z + i));
      }
    }
    exponents_gradient(h, rows, c);
    give_rows(c.dx, c.dp, g.queries + first * h.stride, h.stride, rows, d, g.accumulate);
    add_outer_transposed(c, d, rows, c.v, c.other, c.s_t);
    add_features(c, rows, c.other, c.z);
  });
}

/// The gradients of keys and values, from the last block to the first: the gradients of the sums that later
/// blocks use are ds, ds_t and dz.
template <class Number>
void keys_gradient(const LinearHead<Number>& h, const LinearHeadGradient<Number>& g, const CausalScratch& c) {
  const std::int64_t d = h.head_width, m = h.feature_count;
  clear(c.ds, m * c.dp);
  clear(c.ds_t, d * c.mp);
  clear(c.dz, c.mp);
  float of_sums[kLinearBlock];
  const std::int64_t blocks = (h.count + kLinearBlock - 1) / kLinearBlock;
  for (std::int64_t block = blocks - 1; block >= 0; --block) {
    const std::int64_t first = block * kLinearBlock,
                       rows = h.count - first < kLinearBlock ? h.count - first : kLinearBlock;
    query_features(h, first, rows, c);
    copy(c.f, c.other, rows * c.mp);
    weights_gradient(h, g, first, rows, c, of_sums);
    key_features(h, first, rows, h.key_top, c);
    copy_transposed(c.f, c.mp, c.f_t, kLinearBlock, rows, m);
    block_weights(c, m, rows, c.other);
    multiply({.m = rows,
              .n = c.dp,
              .k = rows,
              .a = c.a,
              .a_row = 1,
              .a_k = kLinearBlock,
              .b = c.o,
              .b_row = c.dp,
              .c = c.dv,
              .c_row = c.dp});
    multiply({.m = rows,
              .n = c.dp,
              .k = m,
              .a = c.f,
              .a_row = c.mp,
              .b = c.ds,
              .b_row = c.dp,
              .c = c.dv,
              .c_row = c.dp,
              .accumulate = true});
    give_rows(c.dv, c.dp, g.values + first * h.stride, h.stride, rows, d, g.accumulate);
    features_gradient(c, d, rows, {1, kLinearBlock}, c.v, c.ds_t);
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t i = 0; i < c.mp; i += kLanes) {
        float* const df = c.df + r * c.mp + i;
        store(df, load(df) + load(c.dz + i));
      }
    }
    exponents_gradient(h, rows, c);
    give_rows(c.dx, c.dp, g.keys + first * h.stride, h.stride, rows, d, g.accumulate);
    add_outer(c, m, rows, c.other, c.o, c.ds);
    add_outer_transposed(c, d, rows, c.o, c.other, c.ds_t);
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t i = 0; i < c.mp; i += kLanes)
        store(c.dz + i, load(c.dz + i) + of_sums[r] * load(c.other + r * c.mp + i));
    }
  }
}

template <class Number>
void causal_linear_attention_gradient(const LinearHead<Number>& h, const LinearHeadGradient<Number>& g,
                                      float* scratch) {
  const CausalScratch c(scratch, h.head_width, h.feature_count);
  copy_directions(h, c);
  queries_gradient(h, g, c);
  keys_gradient(h, g, c);
}

}  // namespace

void add_causal_linear_gradient_loops(Kernels& k) {
  k.f32.causal_linear_attention_gradient = causal_linear_attention_gradient;
  k.bf16.causal_linear_attention_gradient = causal_linear_attention_gradient;
}

}  // namespace gloss::GLOSS_LOOPS

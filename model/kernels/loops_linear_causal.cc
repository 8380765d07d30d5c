// SPDX-License-Identifier: Apache-2.0
// Causal linear attention: sums over earlier keys are a running state, which is updated after each block of
// rows; the weights within a block are computed one by one. Time grows with the length of the sentence.
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

std::int64_t causal_linear_scratch(std::int64_t head_width, std::int64_t features) {
  return CausalScratch::size(head_width, features);
}

/// S [m, dp], then z [mp].
std::int64_t linear_state(std::int64_t head_width, std::int64_t features) {
  return features * padded(head_width) + padded(features);
}

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

template <class Number>
void causal_linear_attention(const LinearHead<Number>& h, Number* result, std::int64_t result_stride,
                             float* weight_sums, float* state, float* scratch) {
  const std::int64_t d = h.head_width, m = h.feature_count;
  const CausalScratch c(scratch, d, m);
  copy_directions(h, c);
  clear(c.s, m * c.dp);
  clear(c.z, c.mp);
  linear_blocks(h.count, [&](std::int64_t first, std::int64_t rows) {
    key_features(h, first, rows, h.key_top, c);
    copy(c.f, c.other, rows * c.mp);
    copy_transposed(c.f, c.mp, c.f_t, kLinearBlock, rows, m);
    copy_rows(h.values + first * h.stride, h.stride, c.v, c.dp, rows, d);
    query_features(h, first, rows, c);
    block_weights(c, m, rows, c.f);
    multiply({.m = rows,
              .n = c.dp,
              .k = m,
              .a = c.f,
              .a_row = c.mp,
              .b = c.s,
              .b_row = c.dp,
              .c = c.o,
              .c_row = c.dp});
    multiply({.m = rows,
              .n = c.dp,
              .k = rows,
              .a = c.a,
              .a_row = kLinearBlock,
              .b = c.v,
              .b_row = c.dp,
              .c = c.o,
              .c_row = c.dp,
              .accumulate = true});
    for (std::int64_t r = 0; r < rows; ++r) {
      float total = weight_sum(c, r);
      for (std::int64_t i = 0; i <= r; ++i) total += c.a[r * kLinearBlock + i];
      if (weight_sums != nullptr) weight_sums[first + r] = total;
      const float share = 1.0f / total;
      for (std::int64_t i = 0; i < c.dp; i += kLanes)
        store(c.o + r * c.dp + i, load(c.o + r * c.dp + i) * share);
    }
    give_rows(c.o, c.dp, result + first * result_stride, result_stride, rows, d, false);
    add_outer(c, m, rows, c.other, c.v, c.s);
    add_features(c, rows, c.other, c.z);
  });
  if (state == nullptr) return;
  copy(c.s, state, m * c.dp);
  copy(c.z, state + m * c.dp, c.mp);
}

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
    Vector along{};
    for (std::int64_t i = 0; i < c.dp; i += kLanes) {
      const Vector gradient = load(c.o + r * c.dp + i) * share;
      along += gradient * load(c.dx + r * c.dp + i);
      store(c.o + r * c.dp + i, gradient);
    }
    of_sums[r] = -sum(along);
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
    multiply({.m = rows,
              .n = c.mp,
              .k = rows,
              .a = c.da,
              .a_row = kLinearBlock,
              .b = c.other,
              .b_row = c.mp,
              .c = c.df,
              .c_row = c.mp});
    multiply({.m = rows,
              .n = c.mp,
              .k = d,
              .a = c.o,
              .a_row = c.dp,
              .b = c.s_t,
              .b_row = c.mp,
              .c = c.df,
              .c_row = c.mp,
              .accumulate = true});
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
    multiply({.m = rows,
              .n = c.mp,
              .k = rows,
              .a = c.da,
              .a_row = 1,
              .a_k = kLinearBlock,
              .b = c.other,
              .b_row = c.mp,
              .c = c.df,
              .c_row = c.mp});
    multiply({.m = rows,
              .n = c.mp,
              .k = d,
              .a = c.v,
              .a_row = c.dp,
              .b = c.ds_t,
              .b_row = c.mp,
              .c = c.df,
              .c_row = c.mp,
              .accumulate = true});
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

/// after = before (null: zeros) + f v^T and f; o [dp] = the mean of all values for the query's features.
inline void linear_step(const LinearScratch& c, std::int64_t m, const float* query, const float* key,
                        const float* value, const float* before, float* after, float* o) {
  for (std::int64_t i = 0; i < c.dp; i += kLanes) store(o + i, Vector{});
  for (std::int64_t r = 0; r < m; ++r) {
    const Vector of_key = all(key[r]), of_query = all(query[r]);
    for (std::int64_t i = 0; i < c.dp; i += kLanes) {
      const Vector old = before != nullptr ? load(before + r * c.dp + i) : Vector{};
      const Vector sum = old + of_key * load(value + i);
      store(after + r * c.dp + i, sum);
      store(o + i, load(o + i) + of_query * sum);
    }
  }
  Vector total{};
  const std::int64_t z = m * c.dp;
  for (std::int64_t i = 0; i < c.mp; i += kLanes) {
    const Vector old = before != nullptr ? load(before + z + i) : Vector{};
    const Vector now = old + load(key + i);
    store(after + z + i, now);
    total += load(query + i) * now;
  }
  const float share = 1.0f / sum(total);
  for (std::int64_t i = 0; i < c.dp; i += kLanes) store(o + i, load(o + i) * share);
}

template <class Number>
void continue_linear_attention(const LinearHead<Number>& h, const LinearSteps& steps, Number* result,
                               std::int64_t result_stride, float* scratch) {
  const std::int64_t d = h.head_width, m = h.feature_count;
  const CausalScratch c(scratch, d, m);
  copy_directions(h, c);
  linear_blocks(h.count, [&](std::int64_t first, std::int64_t rows) {
    key_features(h, first, rows, h.key_top, c);
    copy(c.f, c.other, rows * c.mp);
    copy_rows(h.values + first * h.stride, h.stride, c.v, c.dp, rows, d);
    query_features(h, first, rows, c);
    for (std::int64_t r = 0; r < rows; ++r) {
      const float* const before = steps.before[first + r];
      linear_step(c, m, c.f + r * c.mp, c.other + r * c.mp, c.v + r * c.dp,
                  before != nullptr ? before + steps.first : nullptr, steps.after[first + r] + steps.first,
                  c.o + r * c.dp);
    }
    give_rows(c.o, c.dp, result + first * result_stride, result_stride, rows, d, false);
  });
}

template <class Number>
void add_loops(ActivationKernels<Number>& k) {
  k.causal_linear_scratch = causal_linear_scratch;
  k.linear_state = linear_state;
  k.causal_linear_attention = causal_linear_attention;
  k.causal_linear_attention_gradient = causal_linear_attention_gradient;
  k.continue_linear_attention = continue_linear_attention;
}

}  // namespace

void add_causal_linear_loops(Kernels& k) {
  add_loops(k.f32);
  add_loops(k.bf16);
}

}  // namespace gloss::GLOSS_LOOPS

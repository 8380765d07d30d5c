// SPDX-License-Identifier: Apache-2.0
// Causal linear attention: sums over earlier keys are a running state, which is updated after each block of
// rows; the weights within a block are computed one by one. Time grows with the length of the sentence.
#include "model/kernels/loops_linear_causal.h"

namespace gloss::GLOSS_LOOPS {
namespace {

std::int64_t causal_linear_scratch(std::int64_t head_width, std::int64_t features) {
  return CausalScratch::size(head_width, features);
}

/// S [m, dp], then z [mp].
std::int64_t linear_state(std::int64_t head_width, std::int64_t features) {
  return features * padded(head_width) + padded(features);
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
  const std::int64_t z = m * c.dp;
  const float total = sum_over(c.mp, [&](std::int64_t i, std::int64_t) {
    const Vector old = before != nullptr ? load(before + z + i) : Vector{};
    const Vector now = old + load(key + i);
    store(after + z + i, now);
    return load(query + i) * now;
  });
  const float share = 1.0f / total;
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
  k.continue_linear_attention = continue_linear_attention;
}

}  // namespace

void add_causal_linear_loops(Kernels& k) {
  add_loops(k.f32);
  add_loops(k.bf16);
}

}  // namespace gloss::GLOSS_LOOPS

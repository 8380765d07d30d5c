// SPDX-License-Identifier: Apache-2.0
// Scaled dot-product attention of one head (Vaswani et al. 2017) with its gradient. Each head's operands are
// first copied into dense scratch: q [queries, d], k [d, keys] and so on, widths zero-padded to whole
// vectors.
//
// The products of a block of queries cover only the keys that some of them sees, from the start of a block of
// lanes.
//
// Letters: t queries (i), u keys (j), d head width. P = softmax(Q K^T scale), F dropout factors, O = (P F) V.
#include "model/kernels/loops_product.h"
#include "model/kernels/loops_softmax_row.h"

namespace gloss::GLOSS_LOOPS {
namespace {

constexpr std::int64_t kRows = kProductRows;  // queries per block of the forward pass
constexpr std::int64_t kQueryBlock = 64;      // and of the gradient: bounds the scratch for long sentences

/// Query i attends to the keys from first_key to seen_keys - 1.
template <class Number>
inline std::int64_t seen_keys(const AttentionHead<Number>& h, std::int64_t i) {
  const std::int64_t after = h.causal ? 0 : h.window > 0 ? h.window : h.key_count;
  return i + 1 + after < h.key_count ? i + 1 + after : h.key_count;
}
template <class Number>
inline std::int64_t first_key(const AttentionHead<Number>& h, std::int64_t i) {
  return h.window > 0 && i > h.window ? i - h.window : 0;
}

/// The most keys that a block of `rows` queries has in its products, rounded up to whole vectors.
inline std::int64_t block_columns(std::int64_t rows, std::int64_t u, std::int64_t window) {
  const std::int64_t most = padded(rows + 2 * window) + kSumLanes;
  return window > 0 && most < padded(u) ? most : padded(u);
}

std::int64_t scratch_size(std::int64_t t, std::int64_t u, std::int64_t d, std::int64_t window) {
  const std::int64_t dp = padded(d), up = padded(u), block = t < kQueryBlock ? t : kQueryBlock;
  const std::int64_t forward = u * dp + d * up + kRows * (block_columns(kRows, u, window) + 2 * dp);
  const std::int64_t gradient =
      3 * t * dp + 3 * u * dp + 2 * d * up + 2 * block * block_columns(block, u, window);
  return forward > gradient ? forward : gradient;
}

template <class Number>
void attention(const AttentionHead<Number>& h, Number* result, std::int64_t result_stride, float* log_sums,
               float* scratch) {
  const std::int64_t t = h.query_count, u = h.key_count, d = h.head_width, dp = padded(d), up = padded(u);
  float* v = scratch;
  float* kt = v + u * dp;
  const std::int64_t most = block_columns(kRows, u, h.window);
  float* weights = kt + d * up;
  float* o = weights + kRows * most;
  float* q = o + kRows * dp;
  copy_rows(h.values, h.value_stride, v, dp, u, d);
  copy_transposed(h.keys, h.key_stride, kt, up, u, d);
  for (std::int64_t i = 0; i < t; i += kRows) {
    const std::int64_t rows = t - i < kRows ? t - i : kRows;
    const std::int64_t low = block_start(first_key(h, i)), seen = seen_keys(h, i + rows - 1) - low,
                       columns = padded(seen);
    copy_rows(h.queries + i * h.query_stride, h.query_stride, q, dp, rows, d);
    multiply({.m = rows,
              .n = columns,
              .k = d,
              .a = q,
              .a_row = dp,
              .b = kt + low,
              .b_row = up,
              .c = weights,
              .c_row = most});
    for (std::int64_t r = 0; r < rows; ++r) {
      float* row = weights + r * most;
      const std::int64_t from = first_key(h, i + r), own = seen_keys(h, i + r);
      for (std::int64_t j = low; j < from; ++j) row[j - low] = -3.0e38f;
      add_distances(h.distances, row - low, i + r, from, own, h.scale);
      const SoftmaxSum sum = softmax_row(row, own - low, columns, h.scale);
      if (log_sums != nullptr) log_sums[i + r] = sum.log();
      if (h.dropout.threshold > 0) {
        const std::int64_t first = h.dropout_start + (i + r) * u + low;
        for (std::int64_t j = 0; j < columns; j += kLanes) {
          store(row + j, load(row + j) * dropout_factors(h.dropout, first + j));
        }
      }
    }
    multiply({.m = rows,
              .n = dp,
              .k = seen,
              .a = weights,
              .a_row = most,
              .b = v + low * dp,
              .b_row = dp,
              .c = o,
              .c_row = dp});
    give_rows(o, dp, result + i * result_stride, result_stride, rows, d, false);
  }
}

template <class Number>
void attention_gradient(const AttentionHead<Number>& h, const AttentionHeadGradient<Number>& g,
                        float* scratch) {
  const std::int64_t t = h.query_count, u = h.key_count, d = h.head_width, dp = padded(d), up = padded(u);
  float* q = scratch;
  float* dout = q + t * dp;
  float* dq = dout + t * dp;
  float* k = dq + t * dp;
  float* dk = k + u * dp;
  float* dv = dk + u * dp;
  float* kt = dv + u * dp;
  float* vt = kt + d * up;
  float* weights = vt + d * up;
  const std::int64_t block = t < kQueryBlock ? t : kQueryBlock, most = block_columns(block, u, h.window);
  float* slopes = weights + block * most;
  copy_rows(h.queries, h.query_stride, q, dp, t, d);
  copy_rows(g.result_gradient, g.result_stride, dout, dp, t, d);
  copy_rows(h.keys, h.key_stride, k, dp, u, d);
  copy_transposed(h.keys, h.key_stride, kt, up, u, d);
  copy_transposed(h.values, h.value_stride, vt, up, u, d);
  for (std::int64_t i = 0; i < u * dp; ++i) dk[i] = dv[i] = 0;
  const Integers lane = counting();
  for (std::int64_t start = 0; start < t; start += kQueryBlock) {
    const std::int64_t rows = t - start < kQueryBlock ? t - start : kQueryBlock;
    const std::int64_t low = block_start(first_key(h, start)), seen = seen_keys(h, start + rows - 1) - low,
                       columns = padded(seen);
    multiply({.m = rows,
              .n = columns,
              .k = d,
              .a = q + start * dp,
              .a_row = dp,
              .b = kt + low,
              .b_row = up,
              .c = weights,
              .c_row = most});
    multiply({.m = rows,
              .n = columns,
              .k = d,
              .a = dout + start * dp,
              .a_row = dp,
              .b = vt + low,
              .b_row = up,
              .c = slopes,
              .c_row = most});
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::int64_t i = start + r, from = first_key(h, i), own = seen_keys(h, i);
      float *row = weights + r * most, *slope_row = slopes + r * most;  // from key `low` on
      const Number* o = g.result + i * g.result_stride;
      const float along = sum_over(d, [&](std::int64_t c, std::int64_t n) {
        return take(o + c, n) * load(dout + i * dp + c);  // sum over j of P dP, equal to dO . O
      });
      add_distances(h.distances, row - low, i, from, own, h.scale);
      for (std::int64_t j = 0; j < columns; j += kLanes) {
        const Integers key = lane + static_cast<std::int32_t>(low + j);
        const Integers inside =
            (key >= static_cast<std::int32_t>(from)) & (key < static_cast<std::int32_t>(own));
        const Vector weight = chosen(inside, exponential(load(row + j) * h.scale - g.log_sums[i]), Vector{});
        const Vector factors = h.dropout.threshold > 0
                                   ? dropout_factors(h.dropout, h.dropout_start + i * u + low + j)
                                   : all(1.0f);
        const Vector slope = weight * (factors * load(slope_row + j) - along) * h.scale;
        store(row + j, weight * factors);
        store(slope_row + j, slope);
      }
      if (g.distances == nullptr) continue;
      each_place(h.distances, i, from, own, [&](std::int64_t key, std::int64_t place) {
        g.distances[place] += slope_row[key - low] / h.scale;
      });
    }
    multiply({.m = rows,
              .n = dp,
              .k = seen,
              .a = slopes,
              .a_row = most,
              .b = k + low * dp,
              .b_row = dp,
              .c = dq + start * dp,
              .c_row = dp});
    // [seen, dp] += the transpose of [rows, most] by [rows, dp]
    const auto add_products = [&](const float* by_row, const float* values, float* sums) {
      multiply({.m = seen,
                .n = dp,
                .k = rows,
                .a = by_row,
                .a_row = 1,
                .a_k = most,
                .b = values + start * dp,
                .b_row = dp,
                .c = sums + low * dp,
                .c_row = dp,
                .accumulate = true});
    };
    add_products(slopes, q, dk);
    add_products(weights, dout, dv);
  }
  give_rows(dq, dp, g.queries, h.query_stride, t, d, g.accumulate_queries);
  give_rows(dk, dp, g.keys, h.key_stride, u, d, g.accumulate_keys_values);
  give_rows(dv, dp, g.values, h.value_stride, u, d, g.accumulate_keys_values);
}

template <class Number>
void add_loops(ActivationKernels<Number>& k) {
  k.attention_scratch = scratch_size;
  k.attention = attention;
  k.attention_gradient = attention_gradient;
}

}  // namespace

void add_attention_loops(Kernels& k) {
  add_loops(k.f32);
  add_loops(k.bf16);
}

}  // namespace gloss::GLOSS_LOOPS

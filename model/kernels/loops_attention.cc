// SPDX-License-Identifier: Apache-2.0
// Scaled dot-product attention of one head (Vaswani et al. 2017) with its gradient. Each head's operands are
// first copied into dense scratch: q [queries, d], k [d, keys] and so on, widths zero-padded to whole
// vectors.
//
// Letters: t queries (i), u keys (j), d head width. P = softmax(Q K^T scale), F dropout factors, O = (P F) V.
#include "model/kernels/loops_softmax_row.h"

namespace gloss::GLOSS_LOOPS {
namespace {

constexpr std::int64_t kRows = 6;         // queries per block of the forward pass
constexpr std::int64_t kQueryBlock = 64;  // and of the gradient: bounds the scratch for long sentences

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
  for (; r + kRows <= p.m; r += kRows) tile<kRows, C>(p, r, column);
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
    by_vectors(
        width, [&](std::int64_t i) { store(to + i, load(from + i)); },
        [&](std::int64_t i, std::int64_t n) { store(to + i, load_part(from + i, n)); });
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

/// Number of keys that query i attends to.
template <class Number>
inline std::int64_t seen_keys(const AttentionHead<Number>& h, std::int64_t i) {
  return h.causal && i + 1 < h.key_count ? i + 1 : h.key_count;
}

std::int64_t scratch_size(std::int64_t t, std::int64_t u, std::int64_t d) {
  const std::int64_t dp = padded(d), up = padded(u), block = t < kQueryBlock ? t : kQueryBlock;
  const std::int64_t forward = u * dp + d * up + kRows * (up + 2 * dp);
  const std::int64_t gradient = 3 * t * dp + 3 * u * dp + 2 * d * up + 2 * block * up;
  return forward > gradient ? forward : gradient;
}

template <class Number>
void attention(const AttentionHead<Number>& h, Number* result, std::int64_t result_stride, float* log_sums,
               float* scratch) {
  const std::int64_t t = h.query_count, u = h.key_count, d = h.head_width, dp = padded(d), up = padded(u);
  float* v = scratch;
  float* kt = v + u * dp;
  float* weights = kt + d * up;
  float* o = weights + kRows * up;
  float* q = o + kRows * dp;
  copy_rows(h.values, h.value_stride, v, dp, u, d);
  copy_transposed(h.keys, h.key_stride, kt, up, u, d);
  for (std::int64_t i = 0; i < t; i += kRows) {
    const std::int64_t rows = t - i < kRows ? t - i : kRows;
    const std::int64_t seen = seen_keys(h, i + rows - 1), columns = padded(seen);
    copy_rows(h.queries + i * h.query_stride, h.query_stride, q, dp, rows, d);
    multiply({.m = rows,
              .n = columns,
              .k = d,
              .a = q,
              .a_row = dp,
              .b = kt,
              .b_row = up,
              .c = weights,
              .c_row = up});
    for (std::int64_t r = 0; r < rows; ++r) {
      float* row = weights + r * up;
      add_distances(h.distances, row, i + r, seen_keys(h, i + r), h.scale);
      const SoftmaxSum sum = softmax_row(row, seen_keys(h, i + r), columns, h.scale);
      if (log_sums != nullptr) log_sums[i + r] = sum.log();
      if (h.dropout.threshold > 0) {
        const std::int64_t first = h.dropout_start + (i + r) * u;
        for (std::int64_t j = 0; j < columns; j += kLanes) {
          store(row + j, load(row + j) * dropout_factors(h.dropout, first + j));
        }
      }
    }
    multiply(
        {.m = rows, .n = dp, .k = seen, .a = weights, .a_row = up, .b = v, .b_row = dp, .c = o, .c_row = dp});
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
  float* slopes = weights + (t < kQueryBlock ? t : kQueryBlock) * up;
  copy_rows(h.queries, h.query_stride, q, dp, t, d);
  copy_rows(g.result_gradient, g.result_stride, dout, dp, t, d);
  copy_rows(h.keys, h.key_stride, k, dp, u, d);
  copy_transposed(h.keys, h.key_stride, kt, up, u, d);
  copy_transposed(h.values, h.value_stride, vt, up, u, d);
  const Integers lane = counting();
  for (std::int64_t start = 0; start < t; start += kQueryBlock) {
    const std::int64_t rows = t - start < kQueryBlock ? t - start : kQueryBlock;
    const std::int64_t seen = seen_keys(h, start + rows - 1), columns = padded(seen);
    multiply({.m = rows,
              .n = columns,
              .k = d,
              .a = q + start * dp,
              .a_row = dp,
              .b = kt,
              .b_row = up,
              .c = weights,
              .c_row = up});
    multiply({.m = rows,
              .n = columns,
              .k = d,
              .a = dout + start * dp,
              .a_row = dp,
              .b = vt,
              .b_row = up,
              .c = slopes,
              .c_row = up});
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::int64_t i = start + r, own = seen_keys(h, i);
      const Number* o = g.result + i * g.result_stride;
      Vector products{};  // sum over j of P dP, equal to dO . O
      for (std::int64_t c = 0; c < d; c += kLanes) {
        products += take(o + c, d - c < kLanes ? d - c : kLanes) * load(dout + i * dp + c);
      }
      const float along = sum(products);
      add_distances(h.distances, weights + r * up, i, own, h.scale);
      for (std::int64_t j = 0; j < columns; j += kLanes) {
        const Integers inside = lane + static_cast<std::int32_t>(j) < static_cast<std::int32_t>(own);
        const Vector weight =
            inside ? exponential(load(weights + r * up + j) * h.scale - g.log_sums[i]) : Vector{};
        const Vector factors =
            h.dropout.threshold > 0 ? dropout_factors(h.dropout, h.dropout_start + i * u + j) : all(1.0f);
        const Vector slope = weight * (factors * load(slopes + r * up + j) - along) * h.scale;
        store(weights + r * up + j, weight * factors);
        store(slopes + r * up + j, slope);
      }
      if (g.distances == nullptr) continue;
      for (std::int64_t j = 0; j < own; ++j) {
        g.distances[place_of(h.distances, i, j)] += slopes[r * up + j] / h.scale;
      }
    }
    const bool further = start > 0;
    multiply({.m = rows,
              .n = dp,
              .k = seen,
              .a = slopes,
              .a_row = up,
              .b = k,
              .b_row = dp,
              .c = dq + start * dp,
              .c_row = dp});
    if (!further && seen < u) {  // keys hidden from this block get no gradient from it
      for (std::int64_t i = seen * dp; i < u * dp; ++i) dk[i] = dv[i] = 0;
    }
    // [seen, dp] += the transpose of [rows, up] by [rows, dp]
    const auto add_products = [&](const float* by_row, const float* values, float* sums) {
      multiply({.m = seen,
                .n = dp,
                .k = rows,
                .a = by_row,
                .a_row = 1,
                .a_k = up,
                .b = values + start * dp,
                .b_row = dp,
                .c = sums,
                .c_row = dp,
                .accumulate = further});
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

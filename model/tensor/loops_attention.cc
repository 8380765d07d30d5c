// Scaled dot-product attention of one head (Vaswani et al. 2017) with its gradient. Each head's operands are
// copied into dense scratch first: q [queries, d], k [d, keys] and so on, widths rounded up to whole vectors
// with zeros.
//
// Letters: t queries (i), u keys (j), d head width. P = softmax(Q K^T scale), F dropout factors, O = (P F) V.
#include "model/tensor/loops_softmax_row.h"

namespace gloss::GLOSS_LOOPS {
namespace {

constexpr std::int64_t kRows = 6;         // queries that the forward pass takes at a time
constexpr std::int64_t kQueryBlock = 64;  // and the gradient: bounds the scratch for long sentences

/// R rows by C vectors of c = a b (+ c), summed over k in order: a result does not depend on the tile it
/// falls into.
template <int R, int C>
inline void tile(const float* a, std::int64_t a_row, std::int64_t a_k, const float* b, std::int64_t b_row,
                 float* c, std::int64_t c_row, std::int64_t k_count, bool accumulate) {
  Vector sums[R][C];
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < C; ++v) sums[r][v] = accumulate ? load(c + r * c_row + v * kLanes) : Vector{};
  }
  for (std::int64_t k = 0; k < k_count; ++k) {
    Vector row[C];
    for (int v = 0; v < C; ++v) row[v] = load(b + k * b_row + v * kLanes);
    for (int r = 0; r < R; ++r) {
      const Vector factor = all(a[r * a_row + k * a_k]);
      for (int v = 0; v < C; ++v) sums[r][v] += factor * row[v];
    }
  }
  for (int r = 0; r < R; ++r) {
    for (int v = 0; v < C; ++v) store(c + r * c_row + v * kLanes, sums[r][v]);
  }
}

template <int C>
inline void panel(std::int64_t m, const float* a, std::int64_t a_row, std::int64_t a_k, const float* b,
                  std::int64_t b_row, float* c, std::int64_t c_row, std::int64_t k_count, bool accumulate) {
  std::int64_t r = 0;
  for (; r + kRows <= m; r += kRows)
    tile<kRows, C>(a + r * a_row, a_row, a_k, b, b_row, c + r * c_row, c_row, k_count, accumulate);
  for (; r + 2 <= m; r += 2)
    tile<2, C>(a + r * a_row, a_row, a_k, b, b_row, c + r * c_row, c_row, k_count, accumulate);
  for (; r < m; ++r)
    tile<1, C>(a + r * a_row, a_row, a_k, b, b_row, c + r * c_row, c_row, k_count, accumulate);
}

/// c [m, n] = a [m, k] b [k, n] (+ c); a's strides are free, n is a multiple of the lanes.
inline void product(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t a_row,
                    std::int64_t a_k, const float* b, std::int64_t b_row, float* c, std::int64_t c_row,
                    bool accumulate) {
  std::int64_t v = 0;
  for (; v + 2 * kLanes <= n; v += 2 * kLanes)
    panel<2>(m, a, a_row, a_k, b + v, b_row, c + v, c_row, k, accumulate);
  for (; v < n; v += kLanes) panel<1>(m, a, a_row, a_k, b + v, b_row, c + v, c_row, k, accumulate);
}

/// Rows of `width` numbers, `stride` apart, into rows `padded_width` apart with zeros behind.
template <class Number>
inline void copy_rows(const Number* from, std::int64_t stride, float* to, std::int64_t padded_width,
                      std::int64_t rows, std::int64_t width) {
  for (std::int64_t r = 0; r < rows; ++r, from += stride, to += padded_width) {
    by_vectors(
        width, [&](std::int64_t i) { store(to + i, load(from + i)); },
        [&](std::int64_t i, std::int64_t n) { store(to + i, load_part(from + i, n)); });
  }
}

/// Dense rows to their places, or added to what is there.
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

/// Rows become columns: to [width, padded_rows], zeros behind each.
template <class Number>
inline void copy_transposed(const Number* from, std::int64_t stride, float* to, std::int64_t padded_rows,
                            std::int64_t rows, std::int64_t width) {
  for (std::int64_t c = 0; c < width; ++c, to += padded_rows) {
    for (std::int64_t r = 0; r < rows; ++r) to[r] = number(from[r * stride + c]);
    for (std::int64_t r = rows; r < padded_rows; ++r) to[r] = 0;
  }
}

/// How many keys query i sees.
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
    product(rows, columns, d, q, dp, 1, kt, up, weights, up, false);
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
    product(rows, dp, seen, weights, up, 1, v, dp, o, dp, false);
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
    product(rows, columns, d, q + start * dp, dp, 1, kt, up, weights, up, false);
    product(rows, columns, d, dout + start * dp, dp, 1, vt, up, slopes, up, false);
    for (std::int64_t r = 0; r < rows; ++r) {
      const std::int64_t i = start + r, own = seen_keys(h, i);
      const Number* o = g.result + i * g.result_stride;
      Vector products{};  // sum over j of P dP, which is dO . O
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
    product(rows, dp, seen, slopes, up, 1, k, dp, dq + start * dp, dp, false);
    if (!further && seen < u) {  // keys that this block does not see get nothing from it
      for (std::int64_t i = seen * dp; i < u * dp; ++i) dk[i] = dv[i] = 0;
    }
    product(seen, dp, rows, slopes, 1, up, q + start * dp, dp, dk, dp, further);
    product(seen, dp, rows, weights, 1, up, dout + start * dp, dp, dv, dp, further);
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

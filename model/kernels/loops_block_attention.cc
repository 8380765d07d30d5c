// SPDX-License-Identifier: Apache-2.0
// Attention of one head to the keys of a pattern of blocks, with its gradient. As in loops_attention.cc, the
// operands are first copied into dense scratch, in the order of the round.
//
// The scores of a block of queries have the columns of its ranges of keys, one range after the other. Each
// range starts at the start of a block of lanes; columns outside of it are hidden.
//
// Letters: n rows of the sentence, d head width. Rounds are summed as if their keys were one long list: P =
// exp(score - L) with L the logarithm of the sum over all rounds.
#include "model/kernels/block_attention.h"
#include "model/kernels/loops_product.h"
#include "model/kernels/loops_softmax_row.h"

namespace gloss::GLOSS_LOOPS {
namespace {

constexpr std::int64_t kRows = kProductRows;  // queries per product of the forward pass
constexpr std::int64_t kQueries = 64;         // and at most of the gradient
constexpr float kHidden = -3.0e38f;

inline std::int64_t low_of(const KeyRange& range) { return block_start(range.first); }
inline std::int64_t columns_of(const KeyRange& range) { return padded(range.last) - low_of(range); }

/// The ranges of a block of queries.
struct Ranges {
  const KeyRange* begin_;
  const KeyRange* end_;
  Ranges(const BlockedKeys& b, std::int64_t block)
      : begin_(b.ranges + b.starts[block]), end_(b.ranges + b.starts[block + 1]) {}
  const KeyRange* begin() const { return begin_; }
  const KeyRange* end() const { return end_; }
  std::int64_t columns() const {
    std::int64_t all = 0;
    for (const KeyRange& range : *this) all += columns_of(range);
    return all;
  }
};

/// The order and the labels of a round; null if there are none.
struct Round {
  const std::int32_t* order;
  const std::int32_t* labels;
  std::int64_t first_weight;  ///< index of the weight of the first query and key, for dropout
  Round(const BlockedKeys& b, std::int64_t n, std::int64_t round, std::int64_t start)
      : order(b.order == nullptr ? nullptr : b.order + round * n),
        labels(b.labels == nullptr ? nullptr : b.labels + round * n),
        first_weight(start + round * n * n) {}
  std::int64_t row(std::int64_t place) const { return order == nullptr ? place : order[place]; }
};

inline std::int64_t block_count(const BlockedKeys& b, std::int64_t n) { return (n + b.block - 1) / b.block; }

inline std::int64_t most_columns(const BlockedKeys& b, std::int64_t n) {
  std::int64_t most = 0;
  for (std::int64_t block = 0; block < block_count(b, n); ++block) {
    const std::int64_t columns = Ranges(b, block).columns();
    most = columns > most ? columns : most;
  }
  return most;
}

std::int64_t scratch_size(std::int64_t n, std::int64_t d, const BlockedKeys& b) {
  const std::int64_t dp = padded(d), up = padded(n), most = most_columns(b, n);
  const std::int64_t forward = 2 * n * dp + d * up + n + kRows * (most + 2 * dp);
  const std::int64_t gradient = 9 * n * dp + 2 * d * up + 2 * kQueries * most;
  return forward > gradient ? forward : gradient;
}

/// Copies the rows of a round to rows of whole vectors.
template <class Number>
void take_rows(const Number* from, std::int64_t stride, const Round& round, float* to, std::int64_t rows,
               std::int64_t width) {
  const std::int64_t dp = padded(width);
  if (round.order == nullptr) return copy_rows(from, stride, to, dp, rows, width);
  for (std::int64_t r = 0; r < rows; ++r)
    copy_rows(from + round.row(r) * stride, stride, to + r * dp, dp, 1, width);
}

/// The same, transposed to [width, padded(rows)], zero-padded.
template <class Number>
void take_transposed(const Number* from, std::int64_t stride, const Round& round, float* to,
                     std::int64_t rows, std::int64_t width) {
  const std::int64_t up = padded(rows);
  for (std::int64_t r = 0; r < up; r += kLanes) {
    const std::int64_t n = rows - r < kLanes ? rows - r : kLanes;
    for (std::int64_t c = 0; c < width; ++c) {
      Vector column{};
      for (std::int64_t lane = 0; lane < n; ++lane)
        column.lanes[lane] = number(from[round.row(r + lane) * stride + c]);
      store(to + c * up + r, column);
    }
  }
}

/// Hides the keys that query `i` does not see from its scores, and adds what depends on places.
template <class Number>
void prepare_scores(const AttentionHead<Number>& h, const BlockedKeys& b, const Ranges& ranges,
                    const Round& round, std::int64_t i, float* row) {
  for (const KeyRange& range : ranges) {
    const std::int64_t low = low_of(range), first = range.first, end = padded(range.last),
                       last = h.causal && i + 1 < range.last ? (i + 1 > first ? i + 1 : first) : range.last;
    for (std::int64_t j = low; j < first; ++j) row[j - low] = kHidden;
    for (std::int64_t j = last; j < end; ++j) row[j - low] = kHidden;
    if (round.labels != nullptr) {
      const std::int32_t* const labels = round.labels;
      const std::int32_t own = labels[i];
      for (std::int64_t j = first; j < last; ++j) row[j - low] = labels[j] == own ? row[j - low] : kHidden;
    }
    if (b.avoids_self && i >= first && i < last) row[i - low] -= BlockedKeys::kSelfPenalty / h.scale;
    add_distances(h.distances, row - low, i, first, last, h.scale);
    row += end - low;
  }
}

/// The scores of `rows` queries, from columns of b [width, padded(n)].
void multiply_ranges(const Ranges& ranges, const Product& shape, const float* b) {
  Product product = shape;
  for (const KeyRange& range : ranges) {
    product.n = columns_of(range);
    product.b = b + low_of(range);
    multiply(product);
    product.c += product.n;
  }
}

/// The sums of rows of b [n, width], with weights by the columns of a.
void sum_ranges(const Ranges& ranges, const Product& shape, const float* b) {
  Product product = shape;
  product.accumulate = false;
  for (const KeyRange& range : ranges) {
    product.k = range.last - low_of(range);
    product.b = b + low_of(range) * shape.b_row;
    multiply(product);
    product.a += columns_of(range);
    product.accumulate = true;
  }
}

/// Adds results `o` with the logarithms of their sums of weights to those of earlier rounds.
inline void add_round(const float* o, float log_sum, bool first, float* total, float* total_log,
                      std::int64_t width) {
  float before = 0, now = 1, log = log_sum;
  if (!first) {
    const float top = *total_log > log_sum ? *total_log : log_sum;
    before = exponential(all(*total_log - top)).lanes[0];
    now = exponential(all(log_sum - top)).lanes[0];
    const float sum = before + now;
    log = top + __builtin_logf(sum);
    before /= sum;
    now /= sum;
  }
  for (std::int64_t c = 0; c < width; c += kLanes) {
    const Vector added = load(o + c) * now;
    store(total + c, first ? added : load(total + c) * before + added);
  }
  *total_log = log;
}

template <class Number>
void block_attention(const AttentionHead<Number>& h, const BlockedKeys& b, Number* result,
                     std::int64_t result_stride, float* log_sums, float* scratch) {
  const std::int64_t n = h.query_count, d = h.head_width, dp = padded(d), up = padded(n),
                     most = most_columns(b, n);
  float* v = scratch;
  float* kt = v + n * dp;
  float* totals = kt + d * up;
  float* logs = totals + n * dp;
  float* weights = logs + n;
  float* o = weights + kRows * most;
  float* q = o + kRows * dp;
  for (std::int64_t turn = 0; turn < b.rounds; ++turn) {
    const Round round(b, n, turn, h.dropout_start);
    take_rows(h.values, h.value_stride, round, v, n, d);
    take_transposed(h.keys, h.key_stride, round, kt, n, d);
    for (std::int64_t i = 0, rows = 0; i < n; i += rows) {
      const std::int64_t block = i / b.block, end = (block + 1) * b.block < n ? (block + 1) * b.block : n;
      rows = end - i < kRows ? end - i : kRows;
      const Ranges ranges(b, block);
      const std::int64_t columns = ranges.columns();
      for (std::int64_t r = 0; r < rows; ++r)
        copy_rows(h.queries + round.row(i + r) * h.query_stride, h.query_stride, q + r * dp, dp, 1, d);
      multiply_ranges(
          ranges,
          {.m = rows, .n = 0, .k = d, .a = q, .a_row = dp, .b = kt, .b_row = up, .c = weights, .c_row = most},
          kt);
      float row_logs[kRows];
      for (std::int64_t r = 0; r < rows; ++r) {
        float* const row = weights + r * most;
        prepare_scores(h, b, ranges, round, i + r, row);
        row_logs[r] = softmax_row(row, columns, columns, h.scale).log();
        if (h.dropout.threshold == 0) continue;
        float* part = row;
        for (const KeyRange& range : ranges) {
          const std::int64_t first = round.first_weight + (i + r) * n + low_of(range);
          for (std::int64_t j = 0; j < columns_of(range); j += kLanes)
            store(part + j, load(part + j) * dropout_factors(h.dropout, first + j));
          part += columns_of(range);
        }
      }
      sum_ranges(
          ranges,
          {.m = rows, .n = dp, .k = 0, .a = weights, .a_row = most, .b = v, .b_row = dp, .c = o, .c_row = dp},
          v);
      for (std::int64_t r = 0; r < rows; ++r) {
        const std::int64_t to = round.row(i + r);
        add_round(o + r * dp, row_logs[r], turn == 0, totals + to * dp, logs + to, dp);
      }
    }
  }
  give_rows(totals, dp, result, result_stride, n, d, false);
  if (log_sums == nullptr) return;
  for (std::int64_t i = 0; i < n; ++i) log_sums[i] = logs[i];
}

/// Turns scores of query `i` into weights with dropout, and their gradients into those of scores. `along`: dO
/// . O of the row.
template <class Number>
void weigh(const AttentionHead<Number>& h, const Ranges& ranges, const Round& round, std::int64_t i,
           float log_sum, float along, float* row, float* slopes, float* distances) {
  const std::int64_t n = h.query_count;
  for (const KeyRange& range : ranges) {
    const std::int64_t low = low_of(range), columns = columns_of(range);
    for (std::int64_t j = 0; j < columns; j += kLanes) {
      const Vector weight = exponential(load(row + j) * h.scale - log_sum);
      const Vector factors = h.dropout.threshold > 0
                                 ? dropout_factors(h.dropout, round.first_weight + i * n + low + j)
                                 : all(1.0f);
      store(row + j, weight * factors);
      store(slopes + j, weight * (factors * load(slopes + j) - along) * h.scale);
    }
    if (distances != nullptr) {
      each_place(h.distances, i, range.first, range.last, [&](std::int64_t key, std::int64_t place) {
        distances[place] += slopes[key - low] / h.scale;
      });
    }
    row += columns;
    slopes += columns;
  }
}

template <class Number>
void block_attention_gradient(const AttentionHead<Number>& h, const BlockedKeys& b,
                              const AttentionHeadGradient<Number>& g, float* scratch) {
  const std::int64_t n = h.query_count, d = h.head_width, dp = padded(d), up = padded(n),
                     most = most_columns(b, n), numbers = n * dp;
  float *q = scratch, *dout = q + numbers, *k = dout + numbers;
  float *dq = k + numbers, *dk = dq + numbers, *dv = dk + numbers;  // in the order of the round
  float* totals = dv + numbers;                                     // of dq, dk and dv, by row
  float *kt = totals + 3 * numbers, *vt = kt + d * up;
  float *weights = vt + d * up, *slopes = weights + kQueries * most;
  for (std::int64_t turn = 0; turn < b.rounds; ++turn) {
    const Round round(b, n, turn, h.dropout_start);
    take_rows(h.queries, h.query_stride, round, q, n, d);
    take_rows(g.result_gradient, g.result_stride, round, dout, n, d);
    take_rows(h.keys, h.key_stride, round, k, n, d);
    take_transposed(h.keys, h.key_stride, round, kt, n, d);
    take_transposed(h.values, h.value_stride, round, vt, n, d);
    for (std::int64_t i = 0; i < numbers; ++i) dk[i] = dv[i] = 0;
    for (std::int64_t start = 0, rows = 0; start < n; start += rows) {
      const std::int64_t block = start / b.block, end = (block + 1) * b.block < n ? (block + 1) * b.block : n;
      rows = end - start < kQueries ? end - start : kQueries;
      const Ranges ranges(b, block);
      Product scores{.m = rows,
                     .n = 0,
                     .k = d,
                     .a = q + start * dp,
                     .a_row = dp,
                     .b = kt,
                     .b_row = up,
                     .c = weights,
                     .c_row = most};
      multiply_ranges(ranges, scores, kt);
      scores.a = dout + start * dp;
      scores.c = slopes;
      multiply_ranges(ranges, scores, vt);
      for (std::int64_t r = 0; r < rows; ++r) {
        const std::int64_t i = start + r, row = round.row(i);
        const Number* o = g.result + row * g.result_stride;
        const float along = sum_over(d, [&](std::int64_t c, std::int64_t count) {
          return take(o + c, count) * load(dout + i * dp + c);
        });
        prepare_scores(h, b, ranges, round, i, weights + r * most);
        weigh(h, ranges, round, i, g.log_sums[row], along, weights + r * most, slopes + r * most,
              g.distances);
      }
      sum_ranges(ranges,
                 {.m = rows,
                  .n = dp,
                  .k = 0,
                  .a = slopes,
                  .a_row = most,
                  .b = k,
                  .b_row = dp,
                  .c = dq + start * dp,
                  .c_row = dp},
                 k);
      // [keys of a range, dp] += the transpose of [rows, keys] by [rows, dp]
      const auto add_products = [&](const float* by_row, const float* values, float* sums) {
        for (const KeyRange& range : ranges) {
          const std::int64_t low = low_of(range);
          multiply({.m = range.last - low,
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
          by_row += columns_of(range);
        }
      };
      add_products(slopes, q, dk);
      add_products(weights, dout, dv);
    }
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t row = round.row(i);
      for (std::int64_t part = 0; part < 3; ++part) {
        const float* const from = dq + part * numbers + i * dp;
        float* const to = totals + part * numbers + row * dp;
        for (std::int64_t c = 0; c < dp; c += kLanes)
          store(to + c, turn == 0 ? load(from + c) : load(to + c) + load(from + c));
      }
    }
  }
  give_rows(totals, dp, g.queries, h.query_stride, n, d, g.accumulate_queries);
  give_rows(totals + numbers, dp, g.keys, h.key_stride, n, d, g.accumulate_keys_values);
  give_rows(totals + 2 * numbers, dp, g.values, h.value_stride, n, d, g.accumulate_keys_values);
}

template <class Number>
void add_loops(ActivationKernels<Number>& k) {
  k.block_attention_scratch = scratch_size;
  k.block_attention = block_attention;
  k.block_attention_gradient = block_attention_gradient;
}

}  // namespace

void add_block_attention_loops(Kernels& k) {
  add_loops(k.f32);
  add_loops(k.bf16);
}

}  // namespace gloss::GLOSS_LOOPS

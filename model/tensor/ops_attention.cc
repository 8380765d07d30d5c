// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops.h"
#include "model/tensor/profile.h"
#include "model/tensor/zero_rows.h"

namespace gloss {
namespace {

const ProfiledOperation kAttention("attention");
const ProfiledOperation kAttentionGradient("attention: gradient");
const ProfiledOperation kAttendRows("attention while decoding");

/// The distance scores of one head.
DistanceScores distance_scores(const Tensor& distances, int head, int grid_columns) {
  if (!distances) return {};
  return {distances.data() + head * distances.columns(), (distances.columns() - 1) / 2, grid_columns};
}

/// Attention over all spans and heads: the location of each head of each span in the operands.
struct AttentionLayout {
  std::vector<AttentionSpan> spans;
  AttentionShape shape;
  std::int64_t query_stride, key_value_stride;
  std::vector<std::int64_t> dropout_starts;  // per span

  int heads() const { return shape.heads.heads; }
  /// The number of heads that share a head of keys and values.
  int group() const { return shape.heads.heads / shape.heads.key_value_heads; }
  std::int64_t width() const { return shape.heads.width(); }
  std::int64_t key_value_width() const { return shape.heads.key_value_width(); }
  std::int64_t head_width() const { return shape.heads.head_width; }
  DistanceScores distances(int head) const {
    return distance_scores(shape.distances, head, shape.grid_columns);
  }

  /// The weights of a head of a span, whose dropout differs.
  std::int64_t weights_of(const AttentionSpan& s) const {
    const std::int64_t pairs = std::int64_t{s.query_count} * s.key_count;
    return shape.pattern ? shape.pattern->rounds() * pairs : pairs;
  }

  template <class Number>
  AttentionHead<Number> head(std::size_t span, int head, const Number* queries,
                             const Number* keys_values) const {
    const AttentionSpan& s = spans[span];
    const std::int64_t d = head_width();
    const Number* keys = keys_values + s.key_start * key_value_stride + key_value_stride -
                         2 * key_value_width() + head / group() * d;
    return {.queries = queries + s.query_start * query_stride + head * d,
            .keys = keys,
            .values = keys + key_value_width(),
            .query_stride = query_stride,
            .key_stride = key_value_stride,
            .value_stride = key_value_stride,
            .query_count = s.query_count,
            .key_count = s.key_count,
            .head_width = d,
            .scale = shape.heads.scale,
            .causal = shape.causal,
            .window = shape.window,
            .dropout = shape.dropout,
            .dropout_start = dropout_starts[span] + head * weights_of(s),
            .distances = distances(head)};
  }

  std::int64_t scratch() const {
    std::int64_t most = 0;
    if (shape.pattern) return 0;  // see `with_blocks`
    for (const AttentionSpan& s : spans) {
      most = std::max(
          most, kernels().f32.attention_scratch(s.query_count, s.key_count, head_width(), shape.window));
    }
    return most;
  }

  /// Multiply-adds of one product over all heads.
  std::int64_t work() const {
    std::int64_t pairs = 0;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const AttentionSpan& s = spans[i];
      const std::int64_t seen =
          shape.window > 0 ? std::min(2 * shape.window + 1, std::int64_t{s.key_count}) : s.key_count;
      pairs += shape.pattern
                   ? shape.pattern->layout(static_cast<std::int64_t>(i), s.key_count, 0).pairs(s.key_count)
                   : s.query_count * seen;
    }
    return 2 * pairs * width() / (shape.causal && !shape.pattern ? 2 : 1);
  }

  /// Calls `use(span, head, scratch)` for all heads of all spans, on the operation's threads.
  template <class Use>
  void each_head(Use use) const {
    parallel_ranges(static_cast<std::int64_t>(spans.size()), 1, [&](std::int64_t first, std::int64_t last) {
      const Tensor memory = Tensor::uninitialised({scratch()});
      for (auto s = index(first); s < index(last); ++s) {
        for (int head = 0; head < heads(); ++head) use(s, head, memory.data());
      }
    });
  }
};

/// Calls `use(blocks, scratch)` with the keys that the pattern shows to a head of a span.
template <class Use>
void with_blocks(const AttentionLayout& layout, std::size_t span, int head, Use use) {
  const std::int64_t rows = layout.spans[span].query_count;
  const BlockLayout blocks = layout.shape.pattern->layout(static_cast<std::int64_t>(span), rows, head);
  expects(!layout.shape.causal || blocks.order.empty(), "attention: a causal head with an order of rows");
  const Tensor memory = Tensor::uninitialised(
      {kernels().f32.block_attention_scratch(rows, layout.head_width(), blocks.view())});
  use(blocks.view(), memory.data());
}

/// Prepares new memory for heads that write their rows without adding: zeroes rows outside all spans. False
/// if spans overlap or are out of order.
template <class Start, class Count>
bool clear_between(const std::vector<AttentionSpan>& spans, const Tensor& tensor, Start start, Count count) {
  std::int64_t end = 0;
  for (const AttentionSpan& span : spans) {
    if (span.*start < end) return false;
    fill_rows_with_zeros(tensor, end, span.*start);
    end = span.*start + span.*count;
  }
  fill_rows_with_zeros(tensor, end, tensor.rows());
  return true;
}

/// The destinations of the gradients of an attention's operands.
struct Destinations {
  Tensor queries, keys_values;
  bool accumulate_queries, accumulate_keys_values;
};

Destinations destinations(const AttentionLayout& layout, const Tensor& queries, const Tensor& keys_values) {
  const auto slot_of = [](const Tensor& of) {
    if (of.wants_gradient()) return of.gradient_slot();
    return GradientSlot{Tensor::uninitialised(of.shape(), of.dtype()), false};  // discarded
  };
  const GradientSlot q = slot_of(queries), kv = slot_of(keys_values);
  Destinations to{q.values, kv.values, q.accumulate, kv.accumulate};
  const bool one = q.values.raw() == kv.values.raw();
  if (one) to.accumulate_keys_values = q.accumulate;
  const auto prepare = [&](const Tensor& tensor, bool& accumulate, std::int64_t written, auto start,
                           auto count) {
    if (accumulate) return;
    if (tensor.columns() == written && clear_between(layout.spans, tensor, start, count)) return;
    fill_rows_with_zeros(tensor, 0, tensor.rows());
    accumulate = true;
  };
  if (one) {
    bool keys_too = to.accumulate_keys_values;
    const std::int64_t width = layout.width() + 2 * layout.key_value_width();
    prepare(q.values, to.accumulate_queries, width, &AttentionSpan::query_start, &AttentionSpan::query_count);
    prepare(kv.values, keys_too, width, &AttentionSpan::key_start, &AttentionSpan::key_count);
    if (keys_too && !to.accumulate_queries) to.accumulate_queries = true;
    to.accumulate_keys_values = to.accumulate_queries;
  } else {
    prepare(q.values, to.accumulate_queries, layout.width(), &AttentionSpan::query_start,
            &AttentionSpan::query_count);
    prepare(kv.values, to.accumulate_keys_values, 2 * layout.key_value_width(), &AttentionSpan::key_start,
            &AttentionSpan::key_count);
  }
  return to;
}

template <class Number>
void attention_gradient(const AttentionLayout& layout, std::span<const Tensor> of, const Tensor& result,
                        const Tensor& dy, const Tensor& log_sums) {
  const Destinations to = destinations(layout, of[0], of[1]);
  // Computed per span and added in order, so that the result does not depend on the number of threads.
  const bool by_distance = of.size() > 2 && of[2].wants_gradient();
  const std::int64_t numbers = by_distance ? of[2].columns() : 0, all = numbers * layout.heads();
  const auto span_count = static_cast<std::int64_t>(layout.spans.size());
  const Tensor distances = by_distance ? Tensor::zeros({span_count, all}) : Tensor();
  const Number *q = of[0].data_as<Number>(), *kv = of[1].data_as<Number>();
  layout.each_head([&](std::size_t s, int head, float* scratch) {
    const std::int64_t start = layout.spans[s].query_start,
                       at = start * layout.width() + head * layout.head_width();
    const AttentionHead<Number> h = layout.head(s, head, q, kv);
    float* const of_distances =
        by_distance ? distances.data() + static_cast<std::int64_t>(s) * all + head * numbers : nullptr;
    // The heads of a span follow one another: the first of a group writes, the others add.
    const bool later = head % layout.group() != 0;
    const AttentionHeadGradient<Number> gradient{.result = result.data_as<Number>() + at,
                                                 .result_gradient = dy.data_as<Number>() + at,
                                                 .result_stride = layout.width(),
                                                 .log_sums = log_sums.data() + head * result.rows() + start,
                                                 .queries = to.queries.data_as<Number>() + (h.queries - q),
                                                 .keys = to.keys_values.data_as<Number>() + (h.keys - kv),
                                                 .values = to.keys_values.data_as<Number>() + (h.values - kv),
                                                 .accumulate_queries = to.accumulate_queries,
                                                 .accumulate_keys_values = later || to.accumulate_keys_values,
                                                 .distances = of_distances};
    const ActivationKernels<Number>& loops = kernels().of<Number>();
    if (!layout.shape.pattern) return loops.attention_gradient(h, gradient, scratch);
    with_blocks(layout, s, head, [&](const BlockedKeys& blocks, float* memory) {
      loops.block_attention_gradient(h, blocks, gradient, memory);
    });
  });
  if (!by_distance) return;
  const Tensor sum = of[2].gradient();
  for (std::int64_t s = 0; s < span_count; ++s) {
    kernels().f32.add(sum.data(), distances.data() + s * all, all);
  }
}

}  // namespace

AttentionHeads AttentionHeads::of_width(std::int64_t width, int heads) {
  expects(width % heads == 0, "attention: ", heads, " heads do not divide the width ", width);
  const std::int64_t head_width = width / heads;
  return {heads, heads, head_width, 1.0f / std::sqrt(static_cast<float>(head_width))};
}

Tensor attention(const Tensor& queries, const Tensor& keys_values, std::vector<AttentionSpan> spans,
                 const AttentionShape& shape) {
  const int heads = shape.heads.heads;
  const std::int64_t width = shape.heads.width();
  expects(heads % shape.heads.key_value_heads == 0, "attention: ", heads, " heads for ",
          shape.heads.key_value_heads, " of keys and values");
  expects(queries.columns() >= width && keys_values.columns() >= 2 * shape.heads.key_value_width() &&
              queries.dtype() == keys_values.dtype(),
          "attention: queries ", queries.shape().text(), ", keys and values ", keys_values.shape().text(),
          ", width ", width);
  expects(!shape.distances || (shape.distances.rows() == heads && shape.distances.columns() % 2 == 1),
          "attention: distances ", shape.distances ? shape.distances.shape().text() : "", " for ", heads,
          " heads");
  expects(!shape.pattern || shape.window == 0, "attention: a pattern with a window");
  AttentionLayout layout{std::move(spans), shape, queries.columns(), keys_values.columns(), {}};
  std::int64_t weights = 0;
  for (const AttentionSpan& s : layout.spans) {
    expects(s.query_start >= 0 && s.query_start + s.query_count <= queries.rows() && s.key_start >= 0 &&
                s.key_count > 0 && s.key_start + s.key_count <= keys_values.rows(),
            "attention: a span exceeds its tensors");
    expects(!shape.pattern || s.query_count == s.key_count, "attention: a pattern of ", s.query_count,
            " queries and ", s.key_count, " keys");
    layout.dropout_starts.push_back(weights);
    weights += heads * layout.weights_of(s);
  }
  std::vector<Tensor> inputs{queries, keys_values};
  if (shape.distances) {
    inputs.push_back(shape.distances);
    layout.shape.distances = shape.distances.without_gradient();
  }
  const bool keep = any_wants_gradient(inputs);
  Tensor y = Tensor::uninitialised({queries.rows(), width}, queries.dtype());
  const Tensor log_sums = keep ? Tensor::uninitialised({heads, queries.rows()}) : Tensor();
  {
    const ProfiledTime time(kAttention, 2 * layout.work(), queries.bytes() + keys_values.bytes() + y.bytes());
    const bool ordered =
        clear_between(layout.spans, y, &AttentionSpan::query_start, &AttentionSpan::query_count);
    if (!ordered) fill_rows_with_zeros(y, 0, y.rows());
    for_dtype(y.dtype(), [&]<class Number>() {
      layout.each_head([&](std::size_t s, int head, float* scratch) {
        const std::int64_t start = layout.spans[s].query_start;
        const ActivationKernels<Number>& loops = kernels().of<Number>();
        const AttentionHead<Number> h =
            layout.head(s, head, queries.data_as<Number>(), keys_values.data_as<Number>());
        Number* const result = y.data_as<Number>() + start * width + head * layout.head_width();
        float* const logs = keep ? log_sums.data() + head * queries.rows() + start : nullptr;
        if (!layout.shape.pattern) return loops.attention(h, result, width, logs, scratch);
        with_blocks(layout, s, head, [&](const BlockedKeys& blocks, float* memory) {
          loops.block_attention(h, blocks, result, width, logs, memory);
        });
      });
    });
  }
  return record(
      y, std::move(inputs),
      [layout, log_sums, result = y.without_gradient()](const Tensor& dy, std::span<const Tensor> of) {
        const ProfiledTime time(kAttentionGradient, 5 * layout.work(),
                                2 * of[0].bytes() + 2 * of[1].bytes() + 2 * dy.bytes());
        for_dtype(dy.dtype(),
                  [&]<class Number>() { attention_gradient<Number>(layout, of, result, dy, log_sums); });
      });
}

Tensor attend_rows(const Tensor& queries, const KeyRows& seen, const AttentionHeads& heads,
                   const Tensor& distances) {
  const auto rows = static_cast<std::int64_t>(seen.starts.size()) - 1;
  const std::int64_t width = heads.width();
  expects(rows <= queries.rows() && queries.columns() >= width && heads.heads % heads.key_value_heads == 0,
          "attend_rows: queries ", queries.shape().text(), " for ", rows, " rows of width ", width);
  Tensor y = Tensor::uninitialised({queries.rows(), width}, queries.dtype());
  fill_rows_with_zeros(y, rows, queries.rows());
  int longest = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto at = index(r);
    longest = std::max(longest, seen.starts[at + 1] - seen.starts[at]);
  }
  const ProfiledTime time(
      kAttendRows, 4 * width * static_cast<std::int64_t>(seen.keys.size()),
      2 * heads.key_value_width() * static_cast<std::int64_t>(seen.keys.size() * size_of(y.dtype())));
  for_dtype(y.dtype(), [&]<class Number>() {
    const ActivationKernels<Number>& loops = kernels().of<Number>();
    parallel_ranges(rows, 1, [&](std::int64_t first, std::int64_t last) {
      const Tensor scratch =
          Tensor::uninitialised({loops.attend_scratch(longest, heads.heads, heads.head_width)});
      loops.attend_rows({.queries = queries.data_as<Number>() + first * queries.columns(),
                         .query_stride = queries.columns(),
                         .keys = seen.keys.data(),
                         .starts = seen.starts.data() + first,
                         .rows = last - first,
                         .heads = heads.heads,
                         .key_value_heads = heads.key_value_heads,
                         .head_width = heads.head_width,
                         .scale = heads.scale,
                         .distances = distance_scores(distances, 0, 0)},
                        y.data_as<Number>() + first * width, scratch.data());
    });
  });
  return y;
}

}  // namespace gloss

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "model/tensor/ops.h"
#include "model/tensor/threads.h"

namespace gloss {
namespace {

/// An attention over all spans and heads: where each head of each span lies in the operands.
struct Layout {
  std::vector<AttentionSpan> spans;
  AttentionShape shape;
  std::int64_t width, query_stride, key_value_stride;
  std::vector<std::int64_t> dropout_starts;  // per span

  std::int64_t head_width() const { return width / shape.heads; }

  AttentionHead head(std::size_t span, int head, const float* queries, const float* keys_values) const {
    const AttentionSpan& s = spans[span];
    const std::int64_t d = head_width(), column = head * d;
    const float* keys = keys_values + s.key_start * key_value_stride + key_value_stride - 2 * width + column;
    AttentionHead h{};
    h.queries = queries + s.query_start * query_stride + column;
    h.keys = keys;
    h.values = keys + width;
    h.query_stride = query_stride;
    h.key_stride = h.value_stride = key_value_stride;
    h.query_count = s.query_count;
    h.key_count = s.key_count;
    h.head_width = d;
    h.scale = 1.0f / std::sqrt(static_cast<float>(d));
    h.causal = shape.causal;
    h.dropout = shape.dropout;
    h.dropout_start = dropout_starts[span] + std::int64_t(head) * s.query_count * s.key_count;
    return h;
  }

  std::int64_t scratch() const {
    std::int64_t most = 0;
    for (const AttentionSpan& s : spans) {
      most = std::max(most, kernels().attention_scratch(s.query_count, s.key_count, head_width()));
    }
    return most;
  }
};

}  // namespace

Tensor attention(const Tensor& queries, const Tensor& keys_values, std::int64_t width,
                 std::vector<AttentionSpan> spans, const AttentionShape& shape) {
  expects(width % shape.heads == 0, "attention: ", shape.heads, " heads do not divide the width ", width);
  expects(queries.columns() >= width && keys_values.columns() >= 2 * width, "attention: queries ",
          queries.shape().text(), ", keys and values ", keys_values.shape().text(), ", width ", width);
  Layout layout{std::move(spans), shape, width, queries.columns(), keys_values.columns(), {}};
  std::int64_t weights = 0, covered = 0;
  for (const AttentionSpan& s : layout.spans) {
    expects(s.query_start >= 0 && s.query_start + s.query_count <= queries.rows() && s.key_start >= 0 &&
                s.key_count > 0 && s.key_start + s.key_count <= keys_values.rows(),
            "attention: a span leaves its tensors");
    layout.dropout_starts.push_back(weights);
    weights += std::int64_t(shape.heads) * s.query_count * s.key_count;
    covered += s.query_count;
  }
  const bool keep = queries.wants_gradient() || keys_values.wants_gradient();
  Tensor y = covered == queries.rows() ? Tensor::uninitialised({queries.rows(), width})
                                       : Tensor::zeros({queries.rows(), width});
  const Tensor log_sums = keep ? Tensor::uninitialised({shape.heads, queries.rows()}) : Tensor();
  parallel_ranges(static_cast<std::int64_t>(layout.spans.size()), 1,
                  [&](std::int64_t first, std::int64_t last) {
                    const Tensor scratch = Tensor::uninitialised({layout.scratch()});
                    for (auto s = static_cast<std::size_t>(first); s < static_cast<std::size_t>(last); ++s) {
                      for (int head = 0; head < shape.heads; ++head) {
                        const std::int64_t start = layout.spans[s].query_start;
                        kernels().attention(layout.head(s, head, queries.data(), keys_values.data()),
                                            y.data() + start * width + head * layout.head_width(), width,
                                            keep ? log_sums.data() + head * queries.rows() + start : nullptr,
                                            scratch.data());
                      }
                    }
                  });
  return record(
      y, {queries, keys_values}, [layout, log_sums](const Tensor& result, std::span<const Tensor> of) {
        // The loops add; a tensor that wants no gradient gets one that is thrown away.
        const Tensor dq = of[0].wants_gradient() ? of[0].gradient() : Tensor::zeros(of[0].shape());
        const Tensor dkv = of[1].wants_gradient() ? of[1].gradient() : Tensor::zeros(of[1].shape());
        const Tensor dy = result.gradient();
        const std::int64_t d = layout.head_width();
        parallel_ranges(
            static_cast<std::int64_t>(layout.spans.size()), 1, [&](std::int64_t first, std::int64_t last) {
              const Tensor scratch = Tensor::uninitialised({layout.scratch()});
              for (auto s = static_cast<std::size_t>(first); s < static_cast<std::size_t>(last); ++s) {
                for (int head = 0; head < layout.shape.heads; ++head) {
                  const std::int64_t start = layout.spans[s].query_start,
                                     at = start * layout.width + head * d;
                  const AttentionHead h = layout.head(s, head, of[0].data(), of[1].data());
                  AttentionHeadGradient g{};
                  g.result = result.data() + at;
                  g.result_gradient = dy.data() + at;
                  g.result_stride = layout.width;
                  g.log_sums = log_sums.data() + head * result.rows() + start;
                  g.queries = dq.data() + (h.queries - of[0].data());
                  g.keys = dkv.data() + (h.keys - of[1].data());
                  g.values = dkv.data() + (h.values - of[1].data());
                  kernels().attention_gradient(h, g, scratch.data());
                }
              }
            });
      });
}

Tensor attend_rows(const Tensor& queries, const KeyRows& seen, std::int64_t width, int heads) {
  const auto rows = static_cast<std::int64_t>(seen.starts.size()) - 1;
  expects(rows <= queries.rows() && queries.columns() >= width && width % heads == 0, "attend_rows: queries ",
          queries.shape().text(), " for ", rows, " rows of width ", width);
  const std::int64_t head_width = width / heads;
  const float scale = 1.0f / std::sqrt(static_cast<float>(head_width));
  Tensor y = Tensor::uninitialised({queries.rows(), width});
  std::fill_n(y.data() + rows * width, (queries.rows() - rows) * width, 0.0f);
  int longest = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto at = static_cast<std::size_t>(r);
    longest = std::max(longest, seen.starts[at + 1] - seen.starts[at]);
  }
  parallel_ranges(rows, 1, [&](std::int64_t first, std::int64_t last) {
    constexpr std::int64_t kMostLanes = 16;
    const Tensor scratch = Tensor::uninitialised({heads, longest + kMostLanes});
    for (std::int64_t r = first; r < last; ++r) {
      const int start = seen.starts[static_cast<std::size_t>(r)],
                end = seen.starts[static_cast<std::size_t>(r) + 1];
      kernels().attend_row(queries.data() + r * queries.columns(), seen.keys.data() + start, end - start,
                           heads, head_width, scale, y.data() + r * width, scratch.data());
    }
  });
  return y;
}

}  // namespace gloss

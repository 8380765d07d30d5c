// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "base/error.h"
#include "model/tensor/linear_heads.h"
#include "model/tensor/ops_linear_attention.h"
#include "model/tensor/profile.h"
#include "model/tensor/zero_rows.h"

namespace gloss {
namespace {

const ProfiledOperation kCausalLinearAttention("causal linear attention");
const ProfiledOperation kCausalLinearAttentionGradient("causal linear attention: gradient");
const ProfiledOperation kLinearAttentionSteps("linear attention while decoding");

/// The exponent of keys' features that counts as 0: so large that no sum over keys overflows, and so small
/// that usual features keep their precision. w . x - |x|^2 / 2 is at most |w|^2 / 2.
float key_top_of(const Tensor& features) {
  constexpr double kLargestExponent = 40;
  double largest = 0;
  for (std::int64_t row = 0; row < features.rows(); ++row) {
    double square = 0;
    for (std::int64_t c = 0; c < features.columns(); ++c) {
      const auto value = static_cast<double>(features.data()[row * features.columns() + c]);
      square += value * value;
    }
    largest = std::max(largest, square / 2);
  }
  return static_cast<float>(std::max(0.0, largest - kLargestExponent));
}

/// Heads of causal attention over all spans.
struct CausalHeads {
  Tensor features;
  int heads;
  float key_top;

  std::int64_t head_width() const { return features.columns(); }
  std::int64_t width() const { return heads * head_width(); }
  std::int64_t state() const { return kernels().f32.linear_state(head_width(), features.rows()); }
  std::int64_t scratch() const { return kernels().f32.causal_linear_scratch(head_width(), features.rows()); }

  template <class Number>
  LinearHead<Number> head(const Tensor& projections, const AttentionSpan& span, int number) const {
    LinearHead<Number> h = linear_head<Number>(projections, features, span, number);
    h.smallest_feature = 1e-30f;  // far below the features of keys, which have no common largest one
    h.key_top = key_top;
    return h;
  }
};

CausalHeads causal_heads(const Tensor& projections, const Tensor& features, int heads) {
  expects(projections.columns() == 3 * heads * features.columns(), "causal linear attention: projections ",
          projections.shape().text(), ", features ", features.shape().text(), ", ", heads, " heads");
  return {features, heads, key_top_of(features)};
}

}  // namespace

std::int64_t linear_state_size(const Tensor& features, int heads) {
  return heads * kernels().f32.linear_state(features.columns(), features.rows());
}

Tensor causal_linear_attention(const Tensor& projections, const Tensor& features,
                               std::vector<AttentionSpan> spans, int heads, Tensor* states) {
  const CausalHeads all = causal_heads(projections, features, heads);
  const std::int64_t width = all.width(), rows = projections.rows();
  const auto sentences = std::make_shared<const Sentences>(std::move(spans), rows);
  const Tensor y = Tensor::uninitialised({rows, width}, projections.dtype());
  const std::int64_t work = 2 * rows * width * features.rows();  // of one product
  const std::vector<Tensor> inputs{projections};
  const Tensor weight_sums = any_wants_gradient(inputs) ? Tensor::uninitialised({heads, rows}) : Tensor();
  const Tensor stored = states != nullptr
                            ? Tensor::uninitialised({std::ssize(sentences->spans), heads * all.state()})
                            : Tensor();
  {
    const ProfiledTime time(kCausalLinearAttention, 5 * work, projections.bytes() + y.bytes());
    sentences->clear_outside(y);
    for_dtype(y.dtype(), [&]<class Number>() {
      each_linear_head(
          *sentences, heads, all.scratch(), [&](const AttentionSpan& span, int head, float* scratch) {
            const std::int64_t start = span.query_start, number = &span - sentences->spans.data();
            kernels().of<Number>().causal_linear_attention(
                all.head<Number>(projections, span, head),
                y.data_as<Number>() + start * width + head * all.head_width(), width,
                weight_sums ? weight_sums.data() + head * rows + start : nullptr,
                stored ? stored.data() + number * stored.columns() + head * all.state() : nullptr, scratch);
          });
    });
  }
  if (states != nullptr) *states = stored;
  return record(y, inputs, [=, result = y.without_gradient()](const Tensor& dy, std::span<const Tensor> of) {
    const GradientSlot to = of[0].gradient_slot();
    const ProfiledTime time(kCausalLinearAttentionGradient, 14 * work, 4 * of[0].bytes());
    if (!to.accumulate) sentences->clear_outside(to.values);
    for_dtype(dy.dtype(), [&]<class Number>() {
      each_linear_head(
          *sentences, heads, all.scratch(), [&](const AttentionSpan& span, int head, float* scratch) {
            const LinearHead<Number> h = all.head<Number>(of[0], span, head);
            const std::int64_t at = span.query_start * width + head * all.head_width();
            Number* const queries = to.values.data_as<Number>() + (h.queries - of[0].data_as<Number>());
            kernels().of<Number>().causal_linear_attention_gradient(
                h,
                {.result = result.data_as<Number>() + at,
                 .weight_sums = weight_sums.data() + head * rows + span.query_start,
                 .result_gradient = dy.data_as<Number>() + at,
                 .result_stride = width,
                 .queries = queries,
                 .keys = queries + width,
                 .values = queries + 2 * width,
                 .accumulate = to.accumulate},
                scratch);
          });
    });
  });
}

Tensor continue_linear_attention(const Tensor& projections, const Tensor& features,
                                 std::span<const SumRow> rows, int heads) {
  const CausalHeads all = causal_heads(projections, features, heads);
  const std::int64_t width = all.width(), count = std::ssize(rows);
  expects(count <= projections.rows(), "linear attention while decoding: ", count, " rows of ",
          projections.rows());
  const Tensor y = Tensor::uninitialised({projections.rows(), width}, projections.dtype());
  fill_rows_with_zeros(y, count, y.rows());
  std::vector<const float*> before;
  std::vector<float*> after;
  for (const SumRow& row : rows) {
    before.push_back(row.before);
    after.push_back(row.after);
  }
  const AttentionSpan span{0, static_cast<int>(count), 0, static_cast<int>(count)};
  const ProfiledTime time(kLinearAttentionSteps, 4 * count * width * features.rows(),
                          2 * count * heads * all.state());
  for_dtype(y.dtype(), [&]<class Number>() {
    parallel_ranges(heads, 1, [&](std::int64_t first, std::int64_t last) {
      const Tensor scratch = Tensor::uninitialised({all.scratch()});
      for (std::int64_t head = first; head < last; ++head) {
        kernels().of<Number>().continue_linear_attention(
            all.head<Number>(projections, span, static_cast<int>(head)),
            {before.data(), after.data(), head * all.state()}, y.data_as<Number>() + head * all.head_width(),
            width, scratch.data());
      }
    });
  });
  return y;
}

}  // namespace gloss

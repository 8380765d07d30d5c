// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/ops_linear_attention.h"

#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/profile.h"
#include "model/tensor/sentences.h"

namespace gloss {
namespace {

const ProfiledOperation kLinearAttention("linear attention");
const ProfiledOperation kLinearAttentionGradient("linear attention: gradient");

/// One head of a sentence.
template <class Number>
LinearHead<Number> linear_head(const Tensor& projections, const Tensor& features, const AttentionSpan& span,
                               int head) {
  const std::int64_t stride = projections.columns(), width = stride / 3, d = features.columns();
  const Number* const queries = projections.data_as<Number>() + span.query_start * stride + head * d;
  // As softmax attention divides scores by the square root of the head width.
  const auto scale = static_cast<float>(std::pow(static_cast<double>(d), -0.25));
  return {.queries = queries,
          .keys = queries + width,
          .values = queries + 2 * width,
          .stride = stride,
          .count = span.query_count,
          .head_width = d,
          .features = features.data(),
          .feature_count = features.rows(),
          .scale = scale};
}

/// Calls `use(span, head, scratch)` for all heads of all sentences, on the operation's threads.
template <class Use>
void each_linear_head(const Sentences& sentences, int heads, const Tensor& features, Use use) {
  parallel_ranges(std::ssize(sentences.spans), 1, [&](std::int64_t first, std::int64_t last) {
    const Tensor scratch =
        Tensor::uninitialised({kernels().f32.linear_scratch(features.columns(), features.rows())});
    for (auto s = index(first); s < index(last); ++s) {
      for (int head = 0; head < heads; ++head) use(sentences.spans[s], head, scratch.data());
    }
  });
}

}  // namespace

Tensor linear_attention(const Tensor& projections, const Tensor& features, std::vector<AttentionSpan> spans,
                        int heads) {
  const std::int64_t width = projections.columns() / 3, d = features.columns();
  expects(width * 3 == projections.columns() && width == heads * d, "linear attention: projections ",
          projections.shape().text(), ", features ", features.shape().text(), ", ", heads, " heads");
  const auto sentences = std::make_shared<const Sentences>(std::move(spans), projections.rows());
  const Tensor y = Tensor::uninitialised({projections.rows(), width}, projections.dtype());
  const std::int64_t work = 2 * projections.rows() * width * features.rows();  // of one product
  {
    const ProfiledTime time(kLinearAttention, 5 * work, projections.bytes() + y.bytes());
    sentences->clear_outside(y);
    for_dtype(y.dtype(), [&]<class Number>() {
      each_linear_head(*sentences, heads, features, [&](const AttentionSpan& span, int head, float* scratch) {
        kernels().of<Number>().linear_attention(linear_head<Number>(projections, features, span, head),
                                                y.data_as<Number>() + span.query_start * width + head * d,
                                                width, scratch);
      });
    });
  }
  return record(
      y, {projections}, [=, result = y.without_gradient()](const Tensor& dy, std::span<const Tensor> of) {
        const GradientSlot to = of[0].gradient_slot();
        const ProfiledTime time(kLinearAttentionGradient, 12 * work, 4 * of[0].bytes());
        if (!to.accumulate) sentences->clear_outside(to.values);
        for_dtype(dy.dtype(), [&]<class Number>() {
          each_linear_head(
              *sentences, heads, features, [&](const AttentionSpan& span, int head, float* scratch) {
                const LinearHead<Number> h = linear_head<Number>(of[0], features, span, head);
                const std::int64_t at = span.query_start * width + head * d;
                Number* const queries = to.values.data_as<Number>() + (h.queries - of[0].data_as<Number>());
                kernels().of<Number>().linear_attention_gradient(
                    h,
                    {.result = result.data_as<Number>() + at,
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

}  // namespace gloss

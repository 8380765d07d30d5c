// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/ops_linear_attention.h"

#include <memory>

#include "base/error.h"
#include "model/tensor/linear_heads.h"
#include "model/tensor/profile.h"

namespace gloss {
namespace {

const ProfiledOperation kLinearAttention("linear attention");
const ProfiledOperation kLinearAttentionGradient("linear attention: gradient");

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
      const std::int64_t scratch_floats = kernels().f32.linear_scratch(d, features.rows());
      each_linear_head(
          *sentences, heads, scratch_floats, [&](const AttentionSpan& span, int head, float* scratch) {
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
          const std::int64_t scratch_floats = kernels().f32.linear_scratch(d, features.rows());
          each_linear_head(
              *sentences, heads, scratch_floats, [&](const AttentionSpan& span, int head, float* scratch) {
                const LinearHead<Number> h = linear_head<Number>(of[0], features, span, head);
                const std::int64_t at = span.query_start * width + head * d;
                Number* const queries = to.values.data_as<Number>() + (h.queries - of[0].data_as<Number>());
                kernels().of<Number>().linear_attention_gradient(
                    h,
                    {.result = result.data_as<Number>() + at,
                     .weight_sums = nullptr,
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

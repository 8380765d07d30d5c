// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cmath>
#include <cstdint>

#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/sentences.h"

namespace gloss {

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
void each_linear_head(const Sentences& sentences, int heads, std::int64_t scratch_floats, Use use) {
  parallel_ranges(std::ssize(sentences.spans), 1, [&](std::int64_t first, std::int64_t last) {
    const Tensor scratch = Tensor::uninitialised({scratch_floats});
    for (auto s = index(first); s < index(last); ++s) {
      for (int head = 0; head < heads; ++head) use(sentences.spans[s], head, scratch.data());
    }
  });
}

}  // namespace gloss

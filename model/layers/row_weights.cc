// SPDX-License-Identifier: Apache-2.0

#include "model/layers/row_weights.h"

#include <algorithm>
#include <cstring>

#include "base/index.h"
#include "model/kernels/kernels.h"

namespace gloss {
namespace {

/// The rows with values of 1 in column c of each head for row `first` + c of each sentence, and 0 elsewhere.
Tensor with_unit_values(const MixedRows& mixed, const std::vector<AttentionSpan>& spans, int first) {
  const Tensor& from = mixed.rows;
  const std::int64_t values = mixed.heads * mixed.head_width;
  const Tensor changed = Tensor::uninitialised(from.shape(), from.dtype());
  std::memcpy(changed.raw(), from.raw(), index(from.bytes()));
  for_dtype(from.dtype(), [&]<class Number>() {
    const auto one = [] {
      if constexpr (sizeof(Number) == sizeof(float))
        return 1.0f;
      else
        return Bf16{0x3f80};
    }();
    Number* const numbers = changed.data_as<Number>();
    for (std::int64_t row = 0; row < from.rows(); ++row)
      std::fill_n(numbers + (row + 1) * from.columns() - values, values, Number{});
    for (const AttentionSpan& span : spans) {
      const std::int64_t count = std::min<std::int64_t>(span.query_count - first, mixed.head_width);
      for (std::int64_t c = 0; c < count; ++c) {
        Number* const end = numbers + (span.query_start + first + c + 1) * from.columns();
        for (int head = 0; head < mixed.heads; ++head) end[head * mixed.head_width + c - values] = one;
      }
    }
  });
  return changed;
}

Tensor in_f32(const Tensor& x) {
  if (x.dtype() == DType::f32) return x;
  const Tensor wide = Tensor::uninitialised(x.shape());
  kernels().widen(x.data_as<Bf16>(), wide.data(), x.count());
  return wide;
}

}  // namespace

void visit_row_weights(const RowWeightVisitor* visit, const std::vector<AttentionSpan>& spans,
                       const MixedRows& mixed, const std::function<Tensor(const Tensor& rows)>& mix) {
  if (visit == nullptr) return;
  int longest = 0;
  for (const AttentionSpan& span : spans) longest = std::max(longest, span.query_count);
  const auto per_head = static_cast<int>(mixed.head_width);
  for (int first = 0; first < longest; first += per_head)
    (*visit)(first, per_head, in_f32(mix(with_unit_values(mixed, spans, first))));
}

}  // namespace gloss

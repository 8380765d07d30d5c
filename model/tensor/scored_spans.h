// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

/// Layout of attention weights: for each span and head, one weight for each query and key; the weights of a
/// query are contiguous.
struct ScoredSpans {
  std::vector<AttentionSpan> spans;
  int heads;
  std::int64_t query_rows;
  std::vector<std::int64_t> starts = {};  ///< first weight of each span
  std::int64_t count = 0;                 ///< number of weights

  ScoredSpans(std::vector<AttentionSpan> all, int number_of_heads, std::int64_t queries, std::int64_t keys)
      : spans(std::move(all)), heads(number_of_heads), query_rows(queries) {
    for (const AttentionSpan& s : spans) {
      expects(s.query_start >= 0 && s.query_start + s.query_count <= queries && s.key_start >= 0 &&
                  s.key_count > 0 && s.key_start + s.key_count <= keys,
              "attend: a span exceeds its tensors");
      starts.push_back(count);
      count += std::int64_t(heads) * s.query_count * s.key_count;
    }
  }
  std::int64_t weights_of(std::size_t span, int head) const {
    return starts[span] + std::int64_t(head) * spans[span].query_count * spans[span].key_count;
  }
  /// Number of (query, key) pairs.
  std::int64_t pairs() const { return count / heads; }
  /// Calls `use(span, head)` for all heads of all spans; one thread processes the heads of a span in order.
  template <class Use>
  void each_head(Use use) const {
    parallel_ranges(static_cast<std::int64_t>(spans.size()), 1, [&](std::int64_t first, std::int64_t last) {
      for (auto s = index(first); s < index(last); ++s) {
        for (int head = 0; head < heads; ++head) use(s, head);
      }
    });
  }
};

/// Adds rows of `width` elements to the columns of a gradient from `column` on. `scratch`: one row.
template <class Number>
void add_rows(const float* from, const Tensor& gradient, std::int64_t first_row, std::int64_t rows,
              std::int64_t column, std::int64_t width, Number* scratch) {
  for (std::int64_t r = 0; r < rows; ++r, from += width) {
    Number* to = static_cast<Number*>(gradient.raw_row(first_row + r)) + column;
    if constexpr (std::is_same_v<Number, float>) {
      kernels().f32.add(to, from, width);
    } else {
      kernels().narrow(from, scratch, width);
      kernels().of<Number>().add(to, scratch, width);
    }
  }
}

/// The gradient if requested, otherwise an empty tensor.
inline Tensor gradient_if_wanted(const Tensor& tensor) {
  return tensor && tensor.wants_gradient() ? tensor.gradient() : Tensor();
}

/// Attention weights: scores, then a softmax over the visible keys of each query's span. Laid out as
/// ScoredSpans, f32.
Tensor key_weights(const Tensor& queries, const Tensor& keys, const Tensor& vector, const ScoredSpans&,
                   const ScoreShape&);
/// For each query the weighted sum of its keys' values; with a draw the value of one key.
Tensor mix_values(const Tensor& weights, const Tensor& values, const ScoredSpans&,
                  std::shared_ptr<const KeyDraw>);

}  // namespace gloss

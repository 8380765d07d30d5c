#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/tensor/ops_recurrent.h"
#include "model/tensor/threads.h"

namespace gloss {

/// Where the weights of an attention lie: for each span and head a number for each query and key, the keys of
/// a query side by side.
struct ScoredSpans {
  std::vector<AttentionSpan> spans;
  int heads;
  std::int64_t query_rows;
  std::vector<std::int64_t> starts = {};  ///< of the spans
  std::int64_t count = 0;                 ///< of all weights

  ScoredSpans(std::vector<AttentionSpan> all, int number_of_heads, std::int64_t queries, std::int64_t keys)
      : spans(std::move(all)), heads(number_of_heads), query_rows(queries) {
    for (const AttentionSpan& s : spans) {
      expects(s.query_start >= 0 && s.query_start + s.query_count <= queries && s.key_start >= 0 &&
                  s.key_count > 0 && s.key_start + s.key_count <= keys,
              "attend: a span leaves its tensors");
      starts.push_back(count);
      count += std::int64_t(heads) * s.query_count * s.key_count;
    }
  }
  std::int64_t weights_of(std::size_t span, int head) const {
    return starts[span] + std::int64_t(head) * spans[span].query_count * spans[span].key_count;
  }
  /// Pairs of a query and a key that are looked at.
  std::int64_t pairs() const { return count / heads; }
  /// Calls `use(span, head)` for all heads of all spans, those of a span by one thread and in order.
  template <class Use>
  void each_head(Use use) const {
    parallel_ranges(static_cast<std::int64_t>(spans.size()), 1, [&](std::int64_t first, std::int64_t last) {
      for (auto s = static_cast<std::size_t>(first); s < static_cast<std::size_t>(last); ++s) {
        for (int head = 0; head < heads; ++head) use(s, head);
      }
    });
  }
};

/// Adds rows of `width` numbers to the columns of a gradient that begin at `column`. `scratch`: room for a
/// row.
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

/// The gradient of what wants one; none of others.
inline Tensor gradient_if_wanted(const Tensor& tensor) {
  return tensor && tensor.wants_gradient() ? tensor.gradient() : Tensor();
}

/// The weights of keys for queries: scores, then a softmax over what each query sees of its span. [weights of
/// ScoredSpans], f32.
Tensor key_weights(const Tensor& queries, const Tensor& keys, const Tensor& vector, const ScoredSpans&,
                   const ScoreShape&);
/// For each query the sum of its keys' values by their weights; with a draw the value of one key.
Tensor mix_values(const Tensor& weights, const Tensor& values, const ScoredSpans&,
                  std::shared_ptr<const KeyDraw>);

}  // namespace gloss

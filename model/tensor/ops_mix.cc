// SPDX-License-Identifier: Apache-2.0
// The values of scored attention: see `attend`.
#include <algorithm>
#include <cstring>
#include <memory>

#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/profile.h"
#include "model/tensor/scored_spans.h"

namespace gloss {
namespace {

const ProfiledOperation kMix("scored attention: values");
const ProfiledOperation kMixGradient("scored attention: gradient of values");

/// The key with the largest weight, or, with a number in [0, 1), a key sampled by weight.
int chosen_key(const float* weights, int count, const double* draw) {
  if (draw == nullptr) return static_cast<int>(std::max_element(weights, weights + count) - weights);
  double rest = *draw;
  int last = 0;  // last key with a weight: rounding may leave a small rest
  for (int s = 0; s < count; ++s) {
    if (weights[s] <= 0) continue;
    last = s;
    rest -= static_cast<double>(weights[s]);
    if (rest < 0) break;
  }
  return last;
}

/// The key chosen by each head for each query row, ordered by head, then row.
std::vector<int> chosen_keys(const ScoredSpans& spans, const Tensor& weights, Random* random) {
  std::vector<int> chosen(index(spans.heads * spans.query_rows), 0);
  for (std::size_t span = 0; span < spans.spans.size(); ++span) {
    const AttentionSpan& s = spans.spans[span];
    for (int head = 0; head < spans.heads; ++head) {
      for (int t = 0; t < s.query_count; ++t) {
        const double number = random != nullptr ? random->uniform() : 0;
        chosen[index(head * spans.query_rows + s.query_start + t)] =
            chosen_key(weights.data() + spans.weights_of(span, head) + std::int64_t{t} * s.key_count,
                       s.key_count, random != nullptr ? &number : nullptr);
      }
    }
  }
  return chosen;
}

/// Calls `use(span, head, row, key)` for each head of each query row with its chosen key.
template <class Use>
void each_chosen(const ScoredSpans& spans, const std::vector<int>& chosen, Use use) {
  for (std::size_t span = 0; span < spans.spans.size(); ++span) {
    const AttentionSpan& s = spans.spans[span];
    for (int head = 0; head < spans.heads; ++head) {
      for (int row = s.query_start; row < s.query_start + s.query_count; ++row) {
        use(span, head, row, chosen[index(head * spans.query_rows + row)]);
      }
    }
  }
}

/// Zeroes a tensor's rows that are no span's queries.
void clear_other_rows(const Tensor& tensor, std::vector<AttentionSpan> spans) {
  std::ranges::sort(spans, {}, &AttentionSpan::query_start);
  std::int64_t end = 0;
  const auto clear = [&](std::int64_t from, std::int64_t to) {
    if (from >= to) return;
    std::memset(tensor.raw_row(from), 0, index((to - from) * tensor.columns()) * size_of(tensor.dtype()));
  };
  for (const AttentionSpan& span : spans) {
    expects(span.query_start >= end, "attend: a row of queries belongs to two spans");
    clear(end, span.query_start);
    end = span.query_start + span.query_count;
  }
  clear(end, tensor.rows());
}

/// The mean of a head's values, and its gradient.
template <class Number>
MixedHead<Number> mixed_head(const ScoredSpans& spans, std::size_t span, int head, const Tensor& values,
                             const Tensor& weights) {
  const AttentionSpan& s = spans.spans[span];
  const std::int64_t width = values.columns() / spans.heads;
  return {.values = static_cast<const Number*>(values.raw_row(s.key_start)) + head * width,
          .stride = values.columns(),
          .query_count = s.query_count,
          .key_count = s.key_count,
          .width = width,
          .weights = weights.data() + spans.weights_of(span, head)};
}

template <class Number>
void mean_gradient(const ScoredSpans& spans, const Tensor& dcontext, const Tensor& weights,
                   const Tensor& values) {
  const Tensor dweights = gradient_if_wanted(weights), dvalues = gradient_if_wanted(values);
  const std::int64_t e = values.columns() / spans.heads;
  spans.each_head([&](std::size_t span, int head) {
    const AttentionSpan& s = spans.spans[span];
    const Tensor scratch = Tensor::zeros({(s.key_count + 1) * e});
    auto* const narrow = reinterpret_cast<Number*>(scratch.data() + s.key_count * e);
    kernels().of<Number>().mix_values_gradient(
        mixed_head<Number>(spans, span, head, values, weights),
        static_cast<const Number*>(dcontext.raw_row(s.query_start)) + head * e, dcontext.columns(),
        scratch.data(), dweights ? dweights.data() + spans.weights_of(span, head) : nullptr);
    if (dvalues) add_rows<Number>(scratch.data(), dvalues, s.key_start, s.key_count, head * e, e, narrow);
  });
}

Tensor mean_values(const Tensor& weights, const Tensor& values, const ScoredSpans& spans) {
  Tensor context = Tensor::uninitialised({spans.query_rows, values.columns()}, values.dtype());
  clear_other_rows(context, spans.spans);
  const std::int64_t work = 2 * spans.pairs() * values.columns();
  {
    const ProfiledTime time(kMix, work, 0);
    for_dtype(values.dtype(), [&]<class Number>() {
      spans.each_head([&](std::size_t span, int head) {
        kernels().of<Number>().mix_values(
            mixed_head<Number>(spans, span, head, values, weights),
            static_cast<Number*>(context.raw_row(spans.spans[span].query_start)) +
                head * values.columns() / spans.heads,
            context.columns());
      });
    });
  }
  return record(context, {weights, values},
                [spans, work](const Tensor& dcontext, std::span<const Tensor> of) {
                  const ProfiledTime time(kMixGradient, 2 * work, 0);
                  for_dtype(dcontext.dtype(),
                            [&]<class Number>() { mean_gradient<Number>(spans, dcontext, of[0], of[1]); });
                });
}

Tensor chosen_values(const Tensor& weights, const Tensor& values, const ScoredSpans& spans,
                     std::shared_ptr<const KeyDraw> draw) {
  Tensor context = Tensor::zeros({spans.query_rows, values.columns()}, values.dtype());
  const std::vector<int> chosen = chosen_keys(spans, weights, draw->random);
  const std::int64_t width = values.columns() / spans.heads;
  const auto place = [width](const Tensor& tensor, std::int64_t row, int head) {
    return static_cast<char*>(tensor.raw_row(row)) + index(head * width) * size_of(tensor.dtype());
  };
  each_chosen(spans, chosen, [&](std::size_t span, int head, int row, int key) {
    std::memcpy(place(context, row, head), place(values, spans.spans[span].key_start + key, head),
                index(width) * size_of(values.dtype()));
  });
  return record(
      context, {weights, values.without_values()},
      [spans, chosen, draw, place, width](const Tensor& dcontext, std::span<const Tensor> of) {
        const ProfiledTime time(kMixGradient, dcontext.count(), 0);
        const Tensor dweights = gradient_if_wanted(of[0]), dvalues = gradient_if_wanted(of[1]);
        const std::vector<float>& gains = *draw->gains;
        expects(std::ssize(gains) == spans.query_rows, "attend: ", gains.size(), " gains for ",
                spans.query_rows, " queries");
        each_chosen(spans, chosen, [&](std::size_t span, int head, int row, int key) {
          const AttentionSpan& s = spans.spans[span];
          if (dvalues) {
            for_dtype(dcontext.dtype(), [&]<class Number>() {
              kernels().of<Number>().add(reinterpret_cast<Number*>(place(dvalues, s.key_start + key, head)),
                                         reinterpret_cast<const Number*>(place(dcontext, row, head)), width);
            });
          }
          if (!dweights) return;
          // The REINFORCE gradient of -gain * log(weight of the sampled key) (Williams 1992).
          const std::int64_t at = spans.weights_of(span, head) + (row - s.query_start) * s.key_count + key;
          dweights.data()[at] -= gains[index(row)] / of[0].data()[at];
        });
      });
}

}  // namespace

Tensor mix_values(const Tensor& weights, const Tensor& values, const ScoredSpans& spans,
                  std::shared_ptr<const KeyDraw> draw) {
  expects(values.columns() % spans.heads == 0, "attend: ", spans.heads, " heads do not divide the width ",
          values.columns());
  return draw == nullptr ? mean_values(weights, values, spans)
                         : chosen_values(weights, values, spans, std::move(draw));
}

}  // namespace gloss

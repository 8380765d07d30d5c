// SPDX-License-Identifier: Apache-2.0
// The scores and weights of scored attention: see `attend`.
#include <algorithm>
#include <cmath>

#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/profile.h"
#include "model/tensor/scored_spans.h"
#include "model/tensor/stored_matrix.h"

namespace gloss {
namespace {

const ProfiledOperation kAttentionScores("scored attention: weights");
const ProfiledOperation kScoresGradient("scored attention: gradient of weights");

/// The operands of the scores, or their gradients. All but queries and keys are optional.
struct ScoresOperands {
  Tensor queries, keys, vector, predicted, seen, coverage;

  /// The operands that are set.
  std::vector<Tensor> present() const {
    std::vector<Tensor> all;
    for (const Tensor* one : {&queries, &keys, &vector, &predicted, &seen, &coverage}) {
      if (*one) all.push_back(*one);
    }
    return all;
  }
  /// A copy with its set operands replaced by those of `of`, in order.
  ScoresOperands replaced(std::span<const Tensor> of) const {
    ScoresOperands result = *this;
    std::size_t next = 0;
    for (Tensor* one :
         {&result.queries, &result.keys, &result.vector, &result.predicted, &result.seen, &result.coverage}) {
      if (*one) *one = of[next++];
    }
    return result;
  }
  ScoresOperands without_gradients() const {
    ScoresOperands result = *this;
    for (Tensor* one :
         {&result.queries, &result.keys, &result.vector, &result.predicted, &result.seen, &result.coverage}) {
      if (*one) *one = one->without_gradient();
    }
    return result;
  }
};

struct ScoresLayout {
  ScoredSpans spans;
  float scale, reach;
  std::int64_t key_width;      // all heads together
  std::vector<float> centres;  // of each query row's window, if there are windows

  std::int64_t keys_of_head() const { return key_width / spans.heads; }
  std::int64_t work() const { return 2 * spans.pairs() * key_width; }

  template <class Number>
  ScoredHead<Number> head(std::size_t span, int number, const ScoresOperands& of) const {
    const AttentionSpan& s = spans.spans[span];
    const std::int64_t column = number * keys_of_head();
    ScoredHead<Number> h{};
    h.queries = static_cast<const Number*>(of.queries.raw_row(s.query_start)) + column;
    h.keys = static_cast<const Number*>(of.keys.raw_row(s.key_start)) + column;
    h.query_stride = of.queries.columns();
    h.key_stride = of.keys.columns();
    h.query_count = s.query_count;
    h.key_count = s.key_count;
    h.key_width = keys_of_head();
    h.scale = scale;
    if (of.vector) h.vector = of.vector.data() + column;
    if (of.seen) {
      h.seen = of.seen.data() + spans.weights_of(span, number);
      h.coverage = of.coverage.data() + column;
    }
    if (!centres.empty()) {
      h.centres = centres.data() + s.query_start;
      h.reach = reach;
      h.inverse_spread = of.predicted ? 2 / reach : 0;
    }
    return h;
  }
};

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// The elements of [T, 1] in f32.
std::vector<float> column(const Tensor& tensor) {
  std::vector<float> numbers(index(tensor.rows()));
  const StoredMatrix stored = tensor.stored();
  widen_row({stored.type, stored.numbers, nullptr, 1, tensor.rows()}, 0, numbers.data());
  return numbers;
}

/// The centre of each query row's window; empty without windows.
std::vector<float> window_centres(const ScoredSpans& spans, const KeyWindow& window) {
  if (window.reach == 0) return {};
  expects(window.reach >= 1, "attend: expected a reach of at least 1, found ", window.reach);
  std::vector<float> centres(index(spans.query_rows), 0.0f);
  const std::vector<float> predicted = window.predicted ? column(window.predicted) : std::vector<float>();
  for (const AttentionSpan& s : spans.spans) {
    for (int r = s.query_start; r < s.query_start + s.query_count; ++r) {
      const auto row = index(r);
      centres[row] =
          window.predicted
              ? static_cast<float>(logistic(static_cast<double>(predicted[row])) * (s.key_count - 1))
              : static_cast<float>(std::min(window.places.at(row), s.key_count - 1));
    }
  }
  return centres;
}

/// Adds the gradients of predicted centres to the gradient of the prediction.
template <class Number>
void add_centre_gradient(const ScoresLayout& layout, const std::vector<float>& slopes,
                         const Tensor& gradient) {
  std::vector<float> all(slopes.size(), 0.0f);
  for (const AttentionSpan& s : layout.spans.spans) {
    if (s.key_count == 1) continue;
    for (int r = s.query_start; r < s.query_start + s.query_count; ++r) {
      const auto row = index(r);
      const float share = layout.centres[row] / static_cast<float>(s.key_count - 1);
      all[row] = slopes[row] * static_cast<float>(s.key_count - 1) * share * (1 - share);
    }
  }
  std::vector<Number> scratch(all.size());
  add_rows<Number>(all.data(), gradient, 0, 1, 0, static_cast<std::int64_t>(all.size()), scratch.data());
}

/// Gradients of vectors [width], computed per span, so that the result does not depend on the number of
/// threads.
class VectorGradients {
 public:
  VectorGradients(const Tensor& vector, std::size_t spans)
      : parts_(vector ? Tensor::zeros({static_cast<std::int64_t>(spans), vector.count()}) : Tensor()) {}
  float* of_span(std::size_t span, std::int64_t column) const {
    return parts_ ? parts_.data() + static_cast<std::int64_t>(span) * parts_.columns() + column : nullptr;
  }
  void add_to(const Tensor& gradient) const {
    for (std::int64_t span = 0; gradient && span < parts_.rows(); ++span) {
      kernels().f32.add(gradient.data(), parts_.data() + span * parts_.columns(), parts_.columns());
    }
  }

 private:
  Tensor parts_;
};

template <class Number>
void scores_gradient(const ScoresLayout& layout, const Tensor& dweights, const ScoresOperands& of,
                     const Tensor& weights) {
  const ScoresOperands to{gradient_if_wanted(of.queries), gradient_if_wanted(of.keys),
                          gradient_if_wanted(of.vector),  gradient_if_wanted(of.predicted),
                          gradient_if_wanted(of.seen),    gradient_if_wanted(of.coverage)};
  const ScoredSpans& spans = layout.spans;
  std::vector<float> centres(to.predicted ? index(spans.query_rows) : 0, 0.0f);
  const std::int64_t d = layout.keys_of_head();
  const VectorGradients vectors(of.vector, spans.spans.size()), coverages(of.coverage, spans.spans.size());
  spans.each_head([&](std::size_t span, int head) {
    const AttentionSpan& s = spans.spans[span];
    const Tensor scratch = Tensor::zeros({s.query_count * d + s.key_count * d + d});
    ScoredHeadGradient g{};
    g.queries = scratch.data();
    g.keys = g.queries + s.query_count * d;
    auto* const narrow = reinterpret_cast<Number*>(g.keys + s.key_count * d);
    g.vector = vectors.of_span(span, head * d);
    g.coverage = coverages.of_span(span, head * d);
    if (to.seen) g.seen = to.seen.data() + spans.weights_of(span, head);
    if (to.predicted) g.centres = centres.data() + s.query_start;
    const std::int64_t first = spans.weights_of(span, head);
    kernels().of<Number>().score_keys_gradient(layout.head<Number>(span, head, of), weights.data() + first,
                                               dweights.data() + first, g);
    if (to.queries)
      add_rows<Number>(g.queries, to.queries, s.query_start, s.query_count, head * d, d, narrow);
    if (to.keys) add_rows<Number>(g.keys, to.keys, s.key_start, s.key_count, head * d, d, narrow);
  });
  if (to.predicted) add_centre_gradient<Number>(layout, centres, to.predicted);
  vectors.add_to(to.vector);
  coverages.add_to(to.coverage);
}

}  // namespace

Tensor key_weights(const Tensor& queries, const Tensor& keys, const Tensor& vector, const ScoredSpans& spans,
                   const ScoreShape& shape) {
  expects(queries.columns() == keys.columns() && queries.dtype() == keys.dtype() &&
              (!vector || vector.count() == keys.columns()) && keys.columns() % spans.heads == 0,
          "attend: queries ", queries.shape().text(), ", keys ", keys.shape().text(), ", ", spans.heads,
          " heads");
  const ScoresOperands operands{
      queries, keys, vector, shape.window.predicted, shape.coverage.seen, shape.coverage.vector};
  expects(!operands.predicted ||
              (operands.predicted.rows() == queries.rows() && operands.predicted.columns() == 1 &&
               operands.predicted.dtype() == queries.dtype()),
          "attend: expected one predicted centre per query");
  expects(
      !operands.seen || (operands.seen.count() >= spans.count && operands.coverage.count() == keys.columns()),
      "attend: expected coverage of at least ", spans.count, " weights");
  const ScoresLayout layout{spans, shape.scale, shape.window.reach, keys.columns(),
                            window_centres(spans, shape.window)};
  const Tensor weights = Tensor::uninitialised({spans.count});
  {
    const ProfiledTime time(kAttentionScores, layout.work(), 0);
    for_dtype(queries.dtype(), [&]<class Number>() {
      spans.each_head([&](std::size_t span, int head) {
        const auto& loops = kernels().of<Number>();
        const Tensor scratch = Tensor::uninitialised({loops.score_scratch(spans.spans[span].key_count)});
        loops.score_keys(layout.head<Number>(span, head, operands),
                         weights.data() + spans.weights_of(span, head), scratch.data());
      });
    });
  }
  return record(weights, operands.present(),
                [layout, kept = operands.without_gradients(), result = weights.without_gradient()](
                    const Tensor& dweights, std::span<const Tensor> of) {
                  const ProfiledTime time(kScoresGradient, 2 * layout.work(), 0);
                  for_dtype(kept.queries.dtype(), [&]<class Number>() {
                    scores_gradient<Number>(layout, dweights, kept.replaced(of), result);
                  });
                });
}

Tensor add_prefix(const Tensor& total, const Tensor& more) {
  expects(total.count() >= more.count(), "add_prefix: ", total.count(), " and ", more.count(), " numbers");
  const Tensor y = Tensor::uninitialised(more.shape());
  std::ranges::copy(more.values(), y.data());
  kernels().f32.add(y.data(), total.data(), more.count());
  return record(y, {total.without_values(), more.without_values()},
                [](const Tensor& dy, std::span<const Tensor> of) {
                  for (const Tensor& one : of) {
                    if (one.wants_gradient()) {
                      kernels().f32.add(one.gradient().data(), dy.data(), dy.count());
                    }
                  }
                });
}

Tensor head_weights(const Tensor& queries, const Tensor& keys_values, std::vector<AttentionSpan> spans,
                    const AttentionHeads& heads, int head) {
  expects(head >= 0 && head < heads.heads, "head_weights: head ", head, " of ", heads.heads);
  const std::int64_t of_keys = std::int64_t{head} * heads.key_value_heads / heads.heads,
                     keys = keys_values.columns() - 2 * heads.key_value_width();
  const ScoredSpans scored(std::move(spans), 1, queries.rows(), keys_values.rows());
  return key_weights(take_columns(queries, head * heads.head_width, heads.head_width),
                     take_columns(keys_values, keys + of_keys * heads.head_width, heads.head_width), {},
                     scored, {1, heads.scale});
}

Tensor share_loss(const Tensor& weights, std::vector<WeightShare> shares) {
  constexpr float kLeast = 1e-30f;
  double sum = 0;
  for (const WeightShare& of : shares) {
    expects(of.weight >= 0 && of.weight < weights.count(), "share_loss: weight ", of.weight, " of ",
            weights.count());
    sum -= static_cast<double>(of.share) *
           std::log(static_cast<double>(std::max(kLeast, weights.data()[of.weight])));
  }
  const auto loss = static_cast<float>(sum);
  return record(Tensor::of({1}, std::span(&loss, 1)), {weights},
                [kept = weights.without_gradient(), shares = std::move(shares)](const Tensor& dloss,
                                                                                std::span<const Tensor> of) {
                  float* const gradient = of[0].gradient().data();
                  const float factor = dloss.data()[0];
                  for (const WeightShare& part : shares) {
                    const float weight = kept.data()[part.weight];
                    if (weight >= kLeast) gradient[part.weight] -= factor * part.share / weight;
                  }
                });
}

Tensor missing_squares(std::vector<GroupedNumbers> parts, std::vector<float> factors) {
  std::vector<double> missing(factors.size(), 1.0);
  std::vector<Tensor> inputs;
  for (const GroupedNumbers& part : parts) {
    expects(std::ssize(part.groups) == part.numbers.count(), "missing_squares: ", part.groups.size(),
            " groups for ", part.numbers.count(), " numbers");
    for (std::size_t i = 0; i < part.groups.size(); ++i) {
      if (part.groups[i] >= 0) missing[index(part.groups[i])] -= static_cast<double>(part.numbers.data()[i]);
    }
    inputs.push_back(part.numbers);
  }
  double sum = 0;
  for (std::size_t group = 0; group < missing.size(); ++group) {
    sum += static_cast<double>(factors[group]) * missing[group] * missing[group];
    missing[group] *= -2 * static_cast<double>(factors[group]);
  }
  const auto loss = static_cast<float>(sum);
  return record(Tensor::of({1}, std::span(&loss, 1)), inputs,
                [slopes = std::move(missing), parts = std::move(parts)](const Tensor& dloss,
                                                                        std::span<const Tensor> of) {
                  for (std::size_t part = 0; part < parts.size(); ++part) {
                    if (!of[part].wants_gradient()) continue;
                    float* const gradient = of[part].gradient().data();
                    const std::vector<int>& groups = parts[part].groups;
                    for (std::size_t i = 0; i < groups.size(); ++i) {
                      if (groups[i] >= 0)
                        gradient[i] += dloss.data()[0] * static_cast<float>(slopes[index(groups[i])]);
                    }
                  }
                });
}

Attended attend(const Tensor& queries, const Tensor& keys, const Tensor& values, const Tensor& vector,
                std::vector<AttentionSpan> spans, const ScoreShape& shape) {
  expects(keys.rows() == values.rows() && keys.dtype() == values.dtype(), "attend: keys ",
          keys.shape().text(), ", values ", values.shape().text());
  const ScoredSpans scored(std::move(spans), shape.heads, queries.rows(), keys.rows());
  const Tensor weights = key_weights(queries, keys, vector, scored, shape);
  return {mix_values(weights, values, scored, shape.draw), weights};
}

}  // namespace gloss

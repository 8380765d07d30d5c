// Attention of recurrent networks: see `attend`.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"
#include "model/tensor/ops_recurrent.h"
#include "model/tensor/profile.h"
#include "model/tensor/threads.h"

namespace gloss {
namespace {

const ProfiledOperation kAttend("scored attention");
const ProfiledOperation kAttendGradient("scored attention: gradient");

/// Where each head of each span lies in the operands.
struct Layout {
  std::vector<AttentionSpan> spans;
  ScoreShape shape;
  std::int64_t key_width, value_width;       // of all heads
  std::vector<std::int64_t> weights_starts;  // per span
  std::int64_t query_rows = 0;
  std::vector<float> centres = {};  // of each query row, if there are windows

  std::int64_t keys_of_head() const { return key_width / shape.heads; }
  std::int64_t values_of_head() const { return value_width / shape.heads; }

  template <class Number>
  ScoredHead<Number> head(std::size_t span, int number, const Tensor& queries, const Tensor& keys,
                          const Tensor& values, const Tensor& vector) const {
    const AttentionSpan& s = spans[span];
    const std::int64_t key_column = number * keys_of_head(), value_column = number * values_of_head();
    ScoredHead<Number> h{};
    h.queries = static_cast<const Number*>(queries.raw_row(s.query_start)) + key_column;
    h.keys = static_cast<const Number*>(keys.raw_row(s.key_start)) + key_column;
    h.values = static_cast<const Number*>(values.raw_row(s.key_start)) + value_column;
    h.query_stride = queries.columns();
    h.key_stride = keys.columns();
    h.value_stride = values.columns();
    h.query_count = s.query_count;
    h.key_count = s.key_count;
    h.key_width = keys_of_head();
    h.value_width = values_of_head();
    h.scale = shape.scale;
    h.vector = vector ? vector.data() + key_column : nullptr;
    if (!centres.empty()) {
      h.centres = centres.data() + s.query_start;
      h.reach = shape.window.reach;
      h.inverse_spread = shape.window.predicted ? 2 / h.reach : 0;
    }
    return h;
  }
  std::int64_t weights_of(std::size_t span, int head) const {
    return weights_starts[span] + std::int64_t(head) * spans[span].query_count * spans[span].key_count;
  }
  std::int64_t work() const {
    std::int64_t pairs = 0;
    for (const AttentionSpan& s : spans) pairs += std::int64_t(s.query_count) * s.key_count;
    return 2 * pairs * (key_width + value_width);
  }
  /// Calls `use(span, head)` for all heads of all spans, those of a span by one thread and in order.
  template <class Use>
  void each_head(Use use) const {
    parallel_ranges(static_cast<std::int64_t>(spans.size()), 1, [&](std::int64_t first, std::int64_t last) {
      for (auto s = static_cast<std::size_t>(first); s < static_cast<std::size_t>(last); ++s) {
        for (int head = 0; head < shape.heads; ++head) use(s, head);
      }
    });
  }
};

/// The key with the largest weight, or one drawn by the weights with a number in [0, 1).
int chosen_key(const float* weights, int count, const double* draw) {
  if (draw == nullptr) return static_cast<int>(std::max_element(weights, weights + count) - weights);
  double rest = *draw;
  int last = 0;  // with a weight: where rounding leaves something of the rest
  for (int s = 0; s < count; ++s) {
    if (weights[s] <= 0) continue;
    last = s;
    rest -= static_cast<double>(weights[s]);
    if (rest < 0) break;
  }
  return last;
}

/// The key that each head of each query row takes, in the order of heads and rows.
std::vector<int> chosen_keys(const Layout& layout, const Tensor& weights) {
  std::vector<int> chosen(static_cast<std::size_t>(layout.shape.heads * layout.query_rows), 0);
  for (std::size_t span = 0; span < layout.spans.size(); ++span) {
    const AttentionSpan& s = layout.spans[span];
    for (int head = 0; head < layout.shape.heads; ++head) {
      for (int t = 0; t < s.query_count; ++t) {
        Random* const random = layout.shape.draw->random;
        const double number = random != nullptr ? random->uniform() : 0;
        chosen[static_cast<std::size_t>(head * layout.query_rows + s.query_start + t)] =
            chosen_key(weights.data() + layout.weights_of(span, head) + std::int64_t{t} * s.key_count,
                       s.key_count, random != nullptr ? &number : nullptr);
      }
    }
  }
  return chosen;
}

/// The context of a query becomes the value of the key that it took.
template <class Number>
void take_chosen(const Layout& layout, const Tensor& values, const std::vector<int>& chosen,
                 const Tensor& context) {
  const std::int64_t width = layout.values_of_head();
  for (const AttentionSpan& s : layout.spans) {
    for (int head = 0; head < layout.shape.heads; ++head) {
      for (int row = s.query_start; row < s.query_start + s.query_count; ++row) {
        const int key = chosen[static_cast<std::size_t>(head * layout.query_rows + row)];
        std::copy_n(static_cast<const Number*>(values.raw_row(s.key_start + key)) + head * width, width,
                    static_cast<Number*>(context.raw_row(row)) + head * width);
      }
    }
  }
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

/// The numbers of [T, 1] in f32.
std::vector<float> column(const Tensor& tensor) {
  std::vector<float> numbers(static_cast<std::size_t>(tensor.rows()));
  if (tensor.dtype() == DType::f32) {
    std::ranges::copy(tensor.values(), numbers.begin());
  } else {
    kernels().widen(tensor.data_as<Bf16>(), numbers.data(), tensor.rows());
  }
  return numbers;
}

/// The centre of each query row's window; none without windows.
std::vector<float> window_centres(const Layout& layout) {
  const KeyWindow& window = layout.shape.window;
  if (window.reach == 0) return {};
  expects(window.reach >= 1, "attend: a window that reaches ", window.reach);
  std::vector<float> centres(static_cast<std::size_t>(layout.query_rows), 0.0f);
  const std::vector<float> predicted = window.predicted ? column(window.predicted) : std::vector<float>();
  for (const AttentionSpan& s : layout.spans) {
    for (int r = s.query_start; r < s.query_start + s.query_count; ++r) {
      const auto row = static_cast<std::size_t>(r);
      centres[row] =
          window.predicted
              ? static_cast<float>(logistic(static_cast<double>(predicted[row])) * (s.key_count - 1))
              : static_cast<float>(std::min(window.places.at(row), s.key_count - 1));
    }
  }
  return centres;
}

/// Adds the gradients of predicted centres to those of what they were predicted from.
template <class Number>
void add_centre_gradient(const Layout& layout, const std::vector<float>& slopes, const Tensor& predicted) {
  std::vector<float> all(slopes.size(), 0.0f);
  for (const AttentionSpan& s : layout.spans) {
    if (s.key_count == 1) continue;
    for (int r = s.query_start; r < s.query_start + s.query_count; ++r) {
      const auto row = static_cast<std::size_t>(r);
      const float share = layout.centres[row] / static_cast<float>(s.key_count - 1);
      all[row] = slopes[row] * static_cast<float>(s.key_count - 1) * share * (1 - share);
    }
  }
  const Tensor gradient = predicted.gradient();
  std::vector<Number> numbers(all.size());
  if constexpr (std::is_same_v<Number, float>) {
    numbers = all;
  } else {
    kernels().narrow(all.data(), numbers.data(), static_cast<std::int64_t>(all.size()));
  }
  kernels().of<Number>().add(gradient.data_as<Number>(), numbers.data(),
                             static_cast<std::int64_t>(numbers.size()));
}

/// Adds rows of `width` numbers to the columns of a gradient that begin at `column`.
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

/// Operands or their gradients.
struct Operands {
  Tensor queries, keys, values, vector, predicted;
};

template <class Number>
void attend_gradient(const Layout& layout, const Tensor& dcontext, const Operands& of, const Tensor& weights,
                     const std::vector<int>& chosen) {
  const auto gradient = [](const Tensor& of_what) {
    return of_what.wants_gradient() ? of_what.gradient() : Tensor();
  };
  const Operands to{gradient(of.queries), gradient(of.keys), gradient(of.values), gradient(of.vector),
                    gradient(of.predicted)};
  std::vector<float> centres(to.predicted ? static_cast<std::size_t>(layout.query_rows) : 0, 0.0f);
  if (layout.shape.draw != nullptr) {
    expects(static_cast<std::int64_t>(layout.shape.draw->gains->size()) == layout.query_rows,
            "attend: ", layout.shape.draw->gains->size(), " gains for ", layout.query_rows, " queries");
  }
  const std::int64_t d = layout.keys_of_head(), e = layout.values_of_head();
  const auto span_count = static_cast<std::int64_t>(layout.spans.size());
  const Tensor vectors = of.vector ? Tensor::zeros({span_count, layout.key_width}) : Tensor();
  layout.each_head([&](std::size_t span, int head) {
    const AttentionSpan& s = layout.spans[span];
    const Tensor scratch =
        Tensor::zeros({s.query_count * d + s.key_count * (d + e) + s.key_count + std::max(d, e)});
    ScoredHeadGradient g{};
    g.queries = scratch.data();
    g.keys = g.queries + s.query_count * d;
    g.values = g.keys + s.key_count * d;
    g.slopes = g.values + s.key_count * e;
    auto* const narrow = reinterpret_cast<Number*>(g.slopes + s.key_count);
    g.vector =
        vectors ? vectors.data() + static_cast<std::int64_t>(span) * layout.key_width + head * d : nullptr;
    if (to.predicted) g.centres = centres.data() + s.query_start;
    ScoredHead<Number> h = layout.head<Number>(span, head, of.queries, of.keys, of.values, of.vector);
    if (layout.shape.draw != nullptr) {
      h.drawn = chosen.data() + head * layout.query_rows + s.query_start;
      h.gains = layout.shape.draw->gains->data() + s.query_start;
    }
    kernels().of<Number>().attend_gradient(
        h, weights.data() + layout.weights_of(span, head),
        static_cast<const Number*>(dcontext.raw_row(s.query_start)) + head * e, dcontext.columns(), g);
    if (to.queries)
      add_rows<Number>(g.queries, to.queries, s.query_start, s.query_count, head * d, d, narrow);
    if (to.keys) add_rows<Number>(g.keys, to.keys, s.key_start, s.key_count, head * d, d, narrow);
    if (to.values) add_rows<Number>(g.values, to.values, s.key_start, s.key_count, head * e, e, narrow);
  });
  if (to.predicted) add_centre_gradient<Number>(layout, centres, of.predicted);
  if (!to.vector) return;
  for (std::int64_t span = 0; span < span_count; ++span) {
    kernels().f32.add(to.vector.data(), vectors.data() + span * layout.key_width, layout.key_width);
  }
}

/// A tensor's rows that are no span's queries become zeros.
void clear_other_rows(const Tensor& tensor, std::vector<AttentionSpan> spans) {
  std::ranges::sort(spans, {}, &AttentionSpan::query_start);
  std::int64_t end = 0;
  const auto clear = [&](std::int64_t from, std::int64_t to) {
    if (from >= to) return;
    std::memset(tensor.raw_row(from), 0,
                static_cast<std::size_t>((to - from) * tensor.columns()) * size_of(tensor.dtype()));
  };
  for (const AttentionSpan& span : spans) {
    expects(span.query_start >= end, "attend: a row of queries belongs to two spans");
    clear(end, span.query_start);
    end = span.query_start + span.query_count;
  }
  clear(end, tensor.rows());
}

}  // namespace

Attended attend(const Tensor& queries, const Tensor& keys, const Tensor& values, const Tensor& vector,
                std::vector<AttentionSpan> spans, const ScoreShape& shape) {
  expects(queries.columns() == keys.columns() && keys.rows() == values.rows() &&
              queries.dtype() == keys.dtype() && keys.dtype() == values.dtype() &&
              (!vector || vector.count() == keys.columns()),
          "attend: queries ", queries.shape().text(), ", keys ", keys.shape().text(), ", values ",
          values.shape().text());
  expects(keys.columns() % shape.heads == 0 && values.columns() % shape.heads == 0, "attend: ", shape.heads,
          " heads do not divide the widths ", keys.columns(), " and ", values.columns());
  Layout layout{std::move(spans), shape, keys.columns(), values.columns(), {}, queries.rows()};
  std::int64_t count = 0;
  for (const AttentionSpan& s : layout.spans) {
    expects(s.query_start >= 0 && s.query_start + s.query_count <= queries.rows() && s.key_start >= 0 &&
                s.key_count > 0 && s.key_start + s.key_count <= keys.rows(),
            "attend: a span leaves its tensors");
    layout.weights_starts.push_back(count);
    count += std::int64_t(shape.heads) * s.query_count * s.key_count;
  }
  const Tensor predicted = layout.shape.window.predicted;
  if (predicted) {
    expects(predicted.rows() == queries.rows() && predicted.columns() == 1 &&
                predicted.dtype() == queries.dtype(),
            "attend: centres predicted by ", predicted.shape().text());
    layout.shape.window.predicted = predicted.without_gradient();
  }
  layout.centres = window_centres(layout);
  Tensor context = Tensor::uninitialised({queries.rows(), values.columns()}, queries.dtype());
  clear_other_rows(context, layout.spans);
  const Tensor weights = Tensor::uninitialised({count});
  {
    const ProfiledTime time(kAttend, layout.work(), 0);
    for_dtype(queries.dtype(), [&]<class Number>() {
      layout.each_head([&](std::size_t span, int head) {
        kernels().of<Number>().attend(layout.head<Number>(span, head, queries, keys, values, vector),
                                      weights.data() + layout.weights_of(span, head),
                                      static_cast<Number*>(context.raw_row(layout.spans[span].query_start)) +
                                          head * layout.values_of_head(),
                                      context.columns());
      });
    });
  }
  std::vector<int> chosen;
  if (layout.shape.draw != nullptr) {
    chosen = chosen_keys(layout, weights);
    for_dtype(queries.dtype(), [&]<class Number>() { take_chosen<Number>(layout, values, chosen, context); });
  }
  std::vector<Tensor> inputs{queries, keys, values};
  if (vector) inputs.push_back(vector);
  if (predicted) inputs.push_back(predicted);
  Tensor recorded = record(context, std::move(inputs),
                           [layout, weights, chosen, scored_by_vector = bool(vector)](
                               const Tensor& dcontext, std::span<const Tensor> of) {
                             const ProfiledTime time(kAttendGradient, 2 * layout.work(), 0);
                             Operands operands{of[0], of[1], of[2], {}, {}};
                             if (scored_by_vector) operands.vector = of[3];
                             if (layout.shape.window.predicted) operands.predicted = of.back();
                             for_dtype(dcontext.dtype(), [&]<class Number>() {
                               attend_gradient<Number>(layout, dcontext, operands, weights, chosen);
                             });
                           });
  return {std::move(recorded), weights};
}

}  // namespace gloss

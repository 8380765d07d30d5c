// SPDX-License-Identifier: Apache-2.0
// Convolutions over the rows of a sentence: depthwise, with weights for each channel, and with weights that
// the channels of a head share and every row has for itself (Wu et al. 2019).
//
// Letters: t rows, k taps, i channels, h heads.
#include "model/kernels/loops_softmax_row.h"

namespace gloss::GLOSS_LOOPS {
namespace {

/// The taps of row t that read a row of the sentence: from .. to - 1.
struct InsideTaps {
  std::int64_t from, to;
  InsideTaps(const ConvolutionTaps& taps, std::int64_t t, std::int64_t length) : from(0), to(taps.count) {
    const auto outside = [&](std::int64_t k) {
      const std::int64_t row = t + taps.first + k * taps.step;
      return row < 0 || row >= length;
    };
    while (from < to && outside(from)) ++from;
    while (to > from && outside(to - 1)) --to;
  }
};

/// Adds `value(k)` times the elements i .. of the rows that taps read, `Vectors` vectors at a time.
template <int Vectors, class Number, class Value>
inline void add_taps(const Number* x, std::int64_t row_step, const InsideTaps& inside, Value value,
                     Vector* sums) {
  for (std::int64_t k = inside.from; k < inside.to; ++k) {
    const Number* row = x + k * row_step;
    for (int v = 0; v < Vectors; ++v) sums[v] += value(k, v) * load(row + v * kLanes);
  }
}

/// `count` channels of one row: y = the sum over taps of value(k, channel, elements) * x. `x` and `y` point
/// at the first channel, x in the row that tap 0 reads, which may be outside the sentence.
template <class Number, class Value>
inline void convolve_row(const Number* x, std::int64_t row_step, const InsideTaps& inside, std::int64_t count,
                         bool accumulate, Number* y, Value value) {
  constexpr int kWide = 4;
  std::int64_t i = 0;
  for (; i + kWide * kLanes <= count; i += kWide * kLanes) {
    Vector sums[kWide] = {};
    if (accumulate) {
      for (int v = 0; v < kWide; ++v) sums[v] = load(y + i + v * kLanes);
    }
    add_taps<kWide>(
        x + i, row_step, inside, [&](std::int64_t k, int v) { return value(k, i + v * kLanes, kLanes); },
        sums);
    for (int v = 0; v < kWide; ++v) store(y + i + v * kLanes, sums[v]);
  }
  for (; i < count; i += kLanes) {
    const std::int64_t n = count - i < kLanes ? count - i : kLanes;
    Vector sum = accumulate ? take(y + i, n) : Vector{};
    for (std::int64_t k = inside.from; k < inside.to; ++k)
      sum += value(k, i, n) * take(x + k * row_step + i, n);
    give(y + i, sum, n);
  }
}

template <class Number>
void convolve_channels(const ConvolvedRows<Number>& rows, const float* weights) {
  const ConvolvedRows<Number> r = rows;
  const std::int64_t step = r.taps.step * r.width;
  for (std::int64_t t = r.first; t < r.last; ++t) {
    const InsideTaps inside(r.taps, t, r.length);
    convolve_row(
        r.x + (t + r.taps.first) * r.width, step, inside, r.width, r.accumulate, r.y + t * r.width,
        [&](std::int64_t k, std::int64_t i, std::int64_t n) { return take(weights + k * r.width + i, n); });
  }
}

template <class Number>
void convolve_channels_gradient(const ConvolutionGradient<Number>& rows, float* sums) {
  constexpr int kTogether = 4;  // rows whose products are added before the sum is stored
  const ConvolutionGradient<Number> r = rows;
  for (std::int64_t k = 0; k < r.taps.count; ++k, sums += r.width) {
    const std::int64_t offset = r.taps.first + k * r.taps.step;
    std::int64_t t = r.first > -offset ? r.first : -offset;
    const std::int64_t end = r.last < r.length - offset ? r.last : r.length - offset;
    for (; t < end; t += kTogether) {
      const std::int64_t together = end - t < kTogether ? end - t : kTogether;
      const Number *dy = r.gradient + t * r.width, *x = r.x + (t + offset) * r.width;
      vectors(r.width, [&](std::int64_t i, std::int64_t n) {
        Vector sum = take(sums + i, n);
        for (std::int64_t row = 0; row < together; ++row)
          sum += take(dy + row * r.width + i, n) * take(x + row * r.width + i, n);
        give(sums + i, sum, n);
      });
    }
  }
}

template <class Number>
void convolve_heads(const ConvolvedRows<Number>& rows, const HeadTaps<Number>& heads) {
  const ConvolvedRows<Number> r = rows;
  const HeadTaps<Number> h = heads;
  const std::int64_t step = r.taps.step * r.width, channels = r.width / h.heads,
                     per_row = h.heads * r.taps.count;
  // From the weight of one tap to that of the next.
  const std::int64_t next = h.of_read_row ? r.taps.step * per_row + 1 : 1;
  for (std::int64_t t = r.first; t < r.last; ++t) {
    const InsideTaps inside(r.taps, t, r.length);
    const std::int64_t row = h.of_read_row ? t + r.taps.first : t;
    for (std::int64_t head = 0; head < h.heads; ++head) {
      const Number* weights = h.weights + row * per_row + head * r.taps.count;
      const std::int64_t at = head * channels;
      convolve_row(r.x + (t + r.taps.first) * r.width + at, step, inside, channels, r.accumulate,
                   r.y + t * r.width + at, [&](std::int64_t k, std::int64_t, std::int64_t) {
                     return all(number(weights[k * next]));
                   });
    }
  }
}

template <class Number>
void convolve_heads_gradient(const ConvolutionGradient<Number>& rows, std::int64_t heads, Number* weights,
                             bool accumulate) {
  const ConvolutionGradient<Number> r = rows;
  const std::int64_t channels = r.width / heads, taps = r.taps.count;
  for (std::int64_t t = r.first; t < r.last; ++t) {
    const InsideTaps inside(r.taps, t, r.length);
    for (std::int64_t head = 0; head < heads; ++head) {
      const Number* dy = r.gradient + t * r.width + head * channels;
      const Number* x = r.x + (t + r.taps.first) * r.width + head * channels;
      Number* to = weights + (t * heads + head) * taps;
      for (std::int64_t k = 0; k < taps; ++k) {
        float total = 0;
        if (k >= inside.from && k < inside.to) {
          const Number* row = x + k * r.taps.step * r.width;
          total = sum_over(
              channels, [&](std::int64_t i, std::int64_t n) { return take(dy + i, n) * take(row + i, n); });
        }
        put(to + k, accumulate ? number(to[k]) + total : total);
      }
    }
  }
}

template <class Number>
void softmax_groups(const GroupedSoftmax<Number>& groups, float* scratch) {
  const GroupedSoftmax<Number> g = groups;
  const std::int64_t columns = padded(g.size);
  for (std::int64_t group = 0; group < g.groups; ++group) {
    const std::int64_t at = group * g.size;
    vectors(g.size, [&](std::int64_t i, std::int64_t n) { store(scratch + i, take(g.x + at + i, n)); });
    softmax_row(scratch, g.size, columns, 1.0f);
    masked(g.first + at, g.size, g.dropout, [&](std::int64_t i, std::int64_t n, Vector factors) {
      const Vector shares = load(scratch + i);
      if (g.shares != nullptr) give(g.shares + at + i, shares, n);
      give(g.y + at + i, shares * factors, n);
    });
  }
}

template <class Number>
void softmax_groups_gradient(const GroupedSoftmaxGradient<Number>& groups) {
  const GroupedSoftmaxGradient<Number> g = groups;
  for (std::int64_t group = 0; group < g.groups; ++group) {
    const std::int64_t at = group * g.size;
    const float along = sum_over(g.size, [&](std::int64_t i, std::int64_t n) {
      const Vector factors =
          g.dropout.threshold > 0 ? dropout_factors(g.dropout, g.first + at + i) : all(1.0f);
      return take(g.gradient + at + i, n) * factors * take(g.shares + at + i, n);
    });
    masked(g.first + at, g.size, g.dropout, [&](std::int64_t i, std::int64_t n, Vector factors) {
      const Vector dx = take(g.shares + at + i, n) * (take(g.gradient + at + i, n) * factors - along);
      give(g.x + at + i, g.accumulate ? take(g.x + at + i, n) + dx : dx, n);
    });
  }
}

template <class Number>
void add_loops(ActivationKernels<Number>& k) {
  k.convolve_channels = convolve_channels;
  k.convolve_channels_gradient = convolve_channels_gradient;
  k.convolve_heads = convolve_heads;
  k.convolve_heads_gradient = convolve_heads_gradient;
  k.softmax_groups = softmax_groups;
  k.softmax_groups_gradient = softmax_groups_gradient;
}

}  // namespace

void add_convolution_loops(Kernels& k) {
  add_loops(k.f32);
  add_loops(k.bf16);
}

}  // namespace gloss::GLOSS_LOOPS

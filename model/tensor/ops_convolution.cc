// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/ops_convolution.h"

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/profile.h"
#include "model/tensor/row_sums.h"
#include "model/tensor/sentences.h"

namespace gloss {
namespace {

const ProfiledOperation kConvolution("convolution");
const ProfiledOperation kConvolutionGradient("convolution: gradient");

constexpr std::int64_t kConvolutionGrain = 16;  // minimum rows per thread

/// y, or the gradient of x if the taps are those back: rows by `convolve(rows, first row of the sentence)`.
template <class Number, class Convolve>
void convolve_all(const Sentences& sentences, const Tensor& x, const ConvolutionTaps& taps, const Tensor& y,
                  bool accumulate, Convolve convolve) {
  const std::int64_t width = x.columns();
  if (!accumulate) sentences.clear_outside(y);
  parallel_ranges(sentences.rows, kConvolutionGrain, [&](std::int64_t from, std::int64_t to) {
    sentences.each_part(from, to, [&](const AttentionSpan& span, std::int64_t first, std::int64_t last) {
      const std::int64_t start = span.query_start;
      convolve(ConvolvedRows<Number>{.x = x.data_as<Number>() + start * width,
                                     .y = y.data_as<Number>() + start * width,
                                     .first = first,
                                     .last = last,
                                     .length = span.query_count,
                                     .width = width,
                                     .taps = taps,
                                     .accumulate = accumulate},
               start);
    });
  });
}

template <class Number>
ConvolutionGradient<Number> gradient_rows(const AttentionSpan& span, std::int64_t first, std::int64_t last,
                                          const Tensor& x, const Tensor& dy, const ConvolutionTaps& taps) {
  const std::int64_t start = span.query_start * x.columns();
  return {.x = x.data_as<Number>() + start,
          .gradient = dy.data_as<Number>() + start,
          .first = first,
          .last = last,
          .length = span.query_count,
          .width = x.columns(),
          .taps = taps};
}

/// Adds the gradient of the weights of channels.
void add_channel_gradient(const Sentences& sentences, const Tensor& x, const Tensor& dy,
                          const ConvolutionTaps& taps, const Tensor& to) {
  const Tensor sums = sums_over_rows(
      sentences.rows, taps.count * x.columns(), [&](std::int64_t from, std::int64_t rows, float* block) {
        for_dtype(x.dtype(), [&]<class Number>() {
          sentences.each_part(from, from + rows,
                              [&](const AttentionSpan& span, std::int64_t first, std::int64_t last) {
                                kernels().of<Number>().convolve_channels_gradient(
                                    gradient_rows<Number>(span, first, last, x, dy, taps), block);
                              });
        });
      });
  kernels().f32.add(to.data(), sums.data(), sums.count());
}

/// The gradient of the weights of heads of each row.
template <class Number>
void head_gradient(const Sentences& sentences, const Tensor& x, const Tensor& dy, const ConvolutionTaps& taps,
                   const GradientSlot& to) {
  const std::int64_t columns = to.values.columns();
  if (!to.accumulate) sentences.clear_outside(to.values);
  parallel_ranges(sentences.rows, kConvolutionGrain, [&](std::int64_t from, std::int64_t end) {
    sentences.each_part(from, end, [&](const AttentionSpan& span, std::int64_t first, std::int64_t last) {
      kernels().of<Number>().convolve_heads_gradient(
          gradient_rows<Number>(span, first, last, x, dy, taps), columns / taps.count,
          to.values.data_as<Number>() + span.query_start * columns, to.accumulate);
    });
  });
}

std::int64_t work_of(const Tensor& x, const ConvolutionTaps& taps) { return 2 * x.count() * taps.count; }

}  // namespace

ConvolutionTaps convolution_taps(std::int64_t count, bool causal, std::int64_t dilation) {
  expects(count > 0 && (causal || count % 2 == 1), "convolution: a kernel of ", count, " rows");
  return {count, -dilation * (causal ? count - 1 : count / 2), dilation};
}

int reach_of(const ConvolutionTaps& taps) { return static_cast<int>((taps.count - 1) * taps.step + 1); }

Tensor depthwise_convolution(const Tensor& x, const Tensor& weights, std::vector<AttentionSpan> spans,
                             const ConvolutionTaps& taps) {
  expects(weights.rows() == taps.count && weights.columns() == x.columns(), "depthwise convolution: x ",
          x.shape().text(), ", weights ", weights.shape().text(), ", ", taps.count, " taps");
  const auto sentences = std::make_shared<const Sentences>(std::move(spans), x.rows());
  const Tensor y = Tensor::uninitialised(x.shape(), x.dtype());
  const auto convolve = [](const Sentences& of, const Tensor& from, const Tensor& kernel,
                           const ConvolutionTaps& by, const Tensor& to, bool accumulate) {
    for_dtype(from.dtype(), [&]<class Number>() {
      convolve_all<Number>(of, from, by, to, accumulate,
                           [&](const ConvolvedRows<Number>& rows, std::int64_t) {
                             kernels().of<Number>().convolve_channels(rows, kernel.data());
                           });
    });
  };
  {
    const ProfiledTime time(kConvolution, work_of(x, taps), x.bytes() + y.bytes());
    convolve(*sentences, x, weights, taps, y, false);
  }
  return record(y, {x, weights}, [=](const Tensor& dy, std::span<const Tensor> of) {
    const ProfiledTime time(kConvolutionGradient, 2 * work_of(dy, taps), 4 * dy.bytes());
    if (of[0].wants_gradient()) {
      const GradientSlot dx = of[0].gradient_slot();
      convolve(*sentences, dy, of[1], taps.back(), dx.values, dx.accumulate);
    }
    if (of[1].wants_gradient()) add_channel_gradient(*sentences, of[0], dy, taps, of[1].gradient());
  });
}

Tensor dynamic_convolution(const Tensor& x, const Tensor& weights, std::vector<AttentionSpan> spans,
                           const ConvolutionTaps& taps) {
  const std::int64_t heads = weights.columns() / taps.count;
  expects(weights.rows() == x.rows() && weights.dtype() == x.dtype() &&
              heads * taps.count == weights.columns() && heads > 0 && x.columns() % heads == 0,
          "dynamic convolution: x ", x.shape().text(), ", weights ", weights.shape().text(), ", ", taps.count,
          " taps");
  const auto sentences = std::make_shared<const Sentences>(std::move(spans), x.rows());
  const Tensor y = Tensor::uninitialised(x.shape(), x.dtype());
  const auto convolve = [heads](const Sentences& of, const Tensor& from, const Tensor& by_row,
                                const ConvolutionTaps& by, const Tensor& to, bool accumulate,
                                bool of_read_row) {
    for_dtype(from.dtype(), [&]<class Number>() {
      convolve_all<Number>(of, from, by, to, accumulate,
                           [&](const ConvolvedRows<Number>& rows, std::int64_t start) {
                             kernels().of<Number>().convolve_heads(
                                 rows, {.weights = by_row.data_as<Number>() + start * by_row.columns(),
                                        .heads = heads,
                                        .of_read_row = of_read_row});
                           });
    });
  };
  {
    const ProfiledTime time(kConvolution, work_of(x, taps), x.bytes() + weights.bytes() + y.bytes());
    convolve(*sentences, x, weights, taps, y, false, false);
  }
  return record(y, {x, weights}, [=](const Tensor& dy, std::span<const Tensor> of) {
    const ProfiledTime time(kConvolutionGradient, 2 * work_of(dy, taps), 4 * dy.bytes() + 2 * of[1].bytes());
    if (of[0].wants_gradient()) {
      const GradientSlot dx = of[0].gradient_slot();
      convolve(*sentences, dy, of[1], taps.back(), dx.values, dx.accumulate, true);
    }
    if (of[1].wants_gradient()) {
      for_dtype(dy.dtype(), [&]<class Number>() {
        head_gradient<Number>(*sentences, of[0], dy, taps, of[1].gradient_slot());
      });
    }
  });
}

Tensor neighbouring_rows(const Tensor& x, std::vector<AttentionSpan> spans, const ConvolutionTaps& taps) {
  const auto sentences = std::make_shared<const Sentences>(std::move(spans), x.rows());
  const std::int64_t width = x.columns();
  const Tensor y = Tensor::uninitialised({x.rows(), taps.count * width}, x.dtype());
  // Calls `use(row, tap, row that the tap reads)` for rows from .. to - 1; -1: outside the sentence.
  const auto each_read = [=](std::int64_t from, std::int64_t to, const ConvolutionTaps& by, const auto& use) {
    sentences->each_part(from, to, [&](const AttentionSpan& span, std::int64_t first, std::int64_t last) {
      for (std::int64_t t = first; t < last; ++t) {
        for (std::int64_t k = 0; k < by.count; ++k) {
          const std::int64_t row = t + by.first + k * by.step;
          use(span.query_start + t, k, row < 0 || row >= span.query_count ? -1 : span.query_start + row);
        }
      }
    });
  };
  {
    const ProfiledTime time(kConvolution, 0, x.bytes() + y.bytes());
    sentences->clear_outside(y);
    for_dtype(x.dtype(), [&]<class Number>() {
      parallel_ranges(x.rows(), kConvolutionGrain, [&](std::int64_t from, std::int64_t to) {
        each_read(from, to, taps, [&](std::int64_t row, std::int64_t k, std::int64_t read) {
          Number* const at = y.data_as<Number>() + (row * taps.count + k) * width;
          if (read < 0) {
            std::fill_n(at, width, Number{});
          } else {
            std::copy_n(x.data_as<Number>() + read * width, width, at);
          }
        });
      });
    });
  }
  return record(y, {x.without_values()}, [=](const Tensor& dy, std::span<const Tensor> of) {
    const Tensor dx = of[0].gradient();
    const ProfiledTime time(kConvolutionGradient, dy.count(), 3 * dy.bytes());
    for_dtype(dy.dtype(), [&]<class Number>() {
      parallel_ranges(dx.rows(), kConvolutionGrain, [&](std::int64_t from, std::int64_t to) {
        each_read(from, to, taps.back(), [&](std::int64_t row, std::int64_t k, std::int64_t reader) {
          if (reader < 0) return;
          kernels().of<Number>().add(dx.data_as<Number>() + row * width,
                                     dy.data_as<Number>() + (reader * taps.count + k) * width, width);
        });
      });
    });
  });
}

Tensor joined_rows(const Tensor& x, std::vector<int> numbers, std::int64_t count) {
  const std::int64_t width = x.columns(), rows = std::ssize(numbers) / count;
  expects(rows * count == std::ssize(numbers), "joined_rows: ", numbers.size(), " rows, ", count, " in each");
  for (const int number : numbers)
    expects(number >= -1 && number < x.rows(), "joined_rows: row ", number, " of ", x.rows());
  const auto read = std::make_shared<const std::vector<int>>(std::move(numbers));
  const Tensor y = Tensor::uninitialised({rows, count * width}, x.dtype());
  {
    const ProfiledTime time(kConvolution, 0, x.bytes() + y.bytes());
    for_dtype(x.dtype(), [&]<class Number>() {
      parallel_ranges(rows, kConvolutionGrain, [&](std::int64_t from, std::int64_t to) {
        Number* at = y.data_as<Number>() + from * count * width;
        for (std::int64_t i = from * count; i < to * count; ++i, at += width) {
          const int number = (*read)[index(i)];
          if (number < 0) {
            std::fill_n(at, width, Number{});
          } else {
            std::copy_n(x.data_as<Number>() + number * width, width, at);
          }
        }
      });
    });
  }
  return record(y, {x.without_values()}, [=](const Tensor& dy, std::span<const Tensor> of) {
    const Tensor dx = of[0].gradient();
    const ProfiledTime time(kConvolutionGradient, dy.count(), 3 * dy.bytes());
    // The places of each row in the result, in order, so that rows can be added up in parallel.
    std::vector<int> starts(index(dx.rows()) + 1, 0), places(read->size());
    for (const int number : *read) {
      if (number >= 0) ++starts[index(number) + 1];
    }
    for (std::size_t row = 1; row < starts.size(); ++row) starts[row] += starts[row - 1];
    std::vector<int> next(starts.begin(), starts.end() - 1);
    for (std::size_t i = 0; i < read->size(); ++i) {
      if ((*read)[i] >= 0) places[index(next[index((*read)[i])]++)] = static_cast<int>(i);
    }
    for_dtype(dx.dtype(), [&]<class Number>() {
      parallel_ranges(dx.rows(), kConvolutionGrain, [&](std::int64_t from, std::int64_t to) {
        for (std::int64_t row = from; row < to; ++row) {
          for (int i = starts[index(row)]; i < starts[index(row) + 1]; ++i) {
            kernels().of<Number>().add(dx.data_as<Number>() + row * width,
                                       dy.data_as<Number>() + places[index(i)] * width, width);
          }
        }
      });
    });
  });
}

}  // namespace gloss

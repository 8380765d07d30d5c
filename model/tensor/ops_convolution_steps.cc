// SPDX-License-Identifier: Apache-2.0
// Convolutions while decoding: each row is the last of a sentence whose latest rows are at hand.
#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops_convolution.h"
#include "model/tensor/profile.h"
#include "model/tensor/zero_rows.h"

namespace gloss {
namespace {

const ProfiledOperation kConvolutionSteps("convolution while decoding");

/// The rows that causal taps read, of one row of KeyRows.
struct RowsOfTaps {
  const void* const* last;  // the row itself
  std::int64_t step;
  std::int64_t count;  // those that exist: of the last taps

  RowsOfTaps(const KeyRows& seen, std::int64_t row, const ConvolutionTaps& taps)
      : last(seen.keys.data() + seen.starts[index(row + 1)] - 1), step(taps.step) {
    const std::int64_t all = seen.starts[index(row + 1)] - seen.starts[index(row)];
    count = std::min(taps.count, (all - 1) / step + 1);
  }
  /// Row i of `count`, the last of which is the row itself.
  const void* operator[](std::int64_t i) const { return *(last - (count - 1 - i) * step); }
};

void expect_causal(const Tensor& x, const KeyRows& seen, const ConvolutionTaps& taps) {
  const auto rows = static_cast<std::int64_t>(seen.starts.size()) - 1;
  expects(rows <= x.rows() && taps.step > 0 && taps.first == -(taps.count - 1) * taps.step,
          "convolution while decoding: ", rows, " rows of ", x.rows());
}

/// A result y of `columns` columns, whose row `convolve(y, row, rows of taps)` fills for each row of the
/// lists.
template <class Convolve>
Tensor each_step(const Tensor& x, std::int64_t columns, const KeyRows& seen, const ConvolutionTaps& taps,
                 Convolve convolve) {
  expect_causal(x, seen, taps);
  const auto rows = static_cast<std::int64_t>(seen.starts.size()) - 1;
  const Tensor y = Tensor::uninitialised({x.rows(), columns}, x.dtype());
  fill_rows_with_zeros(y, rows, y.rows());
  const ProfiledTime time(kConvolutionSteps, 2 * rows * taps.count * x.columns(), y.bytes());
  parallel_ranges(rows, 1, [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t row = from; row < to; ++row) convolve(y, row, RowsOfTaps(seen, row, taps));
  });
  return y;
}

/// Operands of a sentence that consists of the rows of taps.
template <class Number>
struct StepRows {
  Tensor x, y;
  ConvolvedRows<Number> rows;

  StepRows(const RowsOfTaps& read, std::int64_t width, DType dtype, const ConvolutionTaps& taps)
      : x(Tensor::uninitialised({read.count, width}, dtype)),
        y(Tensor::uninitialised({read.count, width}, dtype)),
        rows{.x = x.data_as<Number>(),
             .y = y.data_as<Number>(),
             .first = read.count - 1,
             .last = read.count,
             .length = read.count,
             .width = width,
             .taps = {taps.count, 1 - taps.count, 1}} {
    for (std::int64_t i = 0; i < read.count; ++i)
      std::copy_n(static_cast<const Number*>(read[i]), width, x.data_as<Number>() + i * width);
  }
  /// Copies the last row of y.
  void give(Number* to) const { std::copy_n(y.data_as<Number>() + rows.first * rows.width, rows.width, to); }
};

}  // namespace

Tensor depthwise_convolution(const Tensor& x, const Tensor& weights, const KeyRows& seen,
                             const ConvolutionTaps& taps) {
  const std::int64_t width = x.columns();
  return each_step(x, width, seen, taps, [&](const Tensor& y, std::int64_t row, const RowsOfTaps& read) {
    for_dtype(x.dtype(), [&]<class Number>() {
      const StepRows<Number> step(read, width, x.dtype(), taps);
      kernels().of<Number>().convolve_channels(step.rows, weights.data());
      step.give(y.data_as<Number>() + row * width);
    });
  });
}

Tensor dynamic_convolution(const Tensor& x, const Tensor& weights, const KeyRows& seen,
                           const ConvolutionTaps& taps) {
  const std::int64_t width = x.columns(), columns = weights.columns();
  return each_step(x, width, seen, taps, [&](const Tensor& y, std::int64_t row, const RowsOfTaps& read) {
    for_dtype(x.dtype(), [&]<class Number>() {
      const StepRows<Number> step(read, width, x.dtype(), taps);
      const Tensor own = Tensor::uninitialised({read.count, columns}, x.dtype());
      std::copy_n(weights.data_as<Number>() + row * columns, columns,
                  own.data_as<Number>() + step.rows.first * columns);
      kernels().of<Number>().convolve_heads(
          step.rows, {.weights = own.data_as<Number>(), .heads = columns / taps.count});
      step.give(y.data_as<Number>() + row * width);
    });
  });
}

Tensor neighbouring_rows(const Tensor& x, const KeyRows& seen, const ConvolutionTaps& taps) {
  const std::int64_t width = x.columns();
  return each_step(x, taps.count * width, seen, taps,
                   [&](const Tensor& y, std::int64_t row, const RowsOfTaps& read) {
                     for_dtype(x.dtype(), [&]<class Number>() {
                       Number* to = y.data_as<Number>() + row * taps.count * width;
                       to = std::fill_n(to, (taps.count - read.count) * width, Number{});
                       for (std::int64_t i = 0; i < read.count; ++i)
                         to = std::copy_n(static_cast<const Number*>(read[i]), width, to);
                     });
                   });
}

}  // namespace gloss

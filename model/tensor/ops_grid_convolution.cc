// SPDX-License-Identifier: Apache-2.0
// Convolutions over grids: see ops_convolution.h.
#include <memory>

#include "base/error.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops_convolution.h"
#include "model/tensor/profile.h"
#include "model/tensor/row_sums.h"
#include "model/tensor/sentences.h"

namespace gloss {
namespace {

const ProfiledOperation kGrid("convolution of grids");
const ProfiledOperation kGridGradient("convolution of grids: gradient");

constexpr std::int64_t kGridGrain = 16;  // minimum rows per thread

void convolve(const Sentences& sentences, const Tensor& x, const Tensor& weights, const ConvolutionTaps& taps,
              std::int64_t columns, const GradientSlot& to) {
  const std::int64_t width = x.columns();
  if (!to.accumulate) sentences.clear_outside(to.values);
  for_dtype(x.dtype(), [&]<class Number>() {
    parallel_ranges(sentences.rows, kGridGrain, [&](std::int64_t from, std::int64_t end) {
      sentences.each_part(from, end, [&](const AttentionSpan& span, std::int64_t first, std::int64_t last) {
        const std::int64_t start = span.query_start * width;
        kernels().of<Number>().convolve_grid({.x = x.data_as<Number>() + start,
                                              .y = to.values.data_as<Number>() + start,
                                              .first = first,
                                              .last = last,
                                              .length = span.query_count,
                                              .columns = columns,
                                              .width = width,
                                              .taps = taps,
                                              .accumulate = to.accumulate},
                                             weights.data());
      });
    });
  });
}

}  // namespace

Tensor grid_convolution(const Tensor& x, const Tensor& weights, std::vector<AttentionSpan> spans,
                        const ConvolutionTaps& taps, std::int64_t columns) {
  expects(weights.rows() == taps.count * taps.count && weights.columns() == x.columns() && columns > 0,
          "grid convolution: x ", x.shape().text(), ", weights ", weights.shape().text(), ", ", taps.count,
          " taps, ", columns, " columns");
  const auto sentences = std::make_shared<const Sentences>(std::move(spans), x.rows());
  const Tensor y = Tensor::uninitialised(x.shape(), x.dtype());
  const std::int64_t work = 2 * x.count() * weights.rows();
  {
    const ProfiledTime time(kGrid, work, x.bytes() + y.bytes());
    convolve(*sentences, x, weights, taps, columns, {y, false});
  }
  return record(y, {x, weights}, [=](const Tensor& dy, std::span<const Tensor> of) {
    const ProfiledTime time(kGridGradient, 2 * work, 4 * dy.bytes());
    if (of[0].wants_gradient()) convolve(*sentences, dy, of[1], taps.back(), columns, of[0].gradient_slot());
    if (!of[1].wants_gradient()) return;
    const Tensor &read = of[0], to = of[1].gradient();
    const Tensor sums =
        sums_over_rows(sentences->rows, to.count(), [&](std::int64_t from, std::int64_t rows, float* block) {
          for_dtype(read.dtype(), [&]<class Number>() {
            sentences->each_part(
                from, from + rows, [&](const AttentionSpan& span, std::int64_t first, std::int64_t last) {
                  const std::int64_t start = span.query_start * read.columns();
                  kernels().of<Number>().convolve_grid_gradient({.x = read.data_as<Number>() + start,
                                                                 .y = dy.data_as<Number>() + start,
                                                                 .first = first,
                                                                 .last = last,
                                                                 .length = span.query_count,
                                                                 .columns = columns,
                                                                 .width = read.columns(),
                                                                 .taps = taps},
                                                                block);
                });
          });
        });
    kernels().f32.add(to.data(), sums.data(), sums.count());
  });
}

}  // namespace gloss

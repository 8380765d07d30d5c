// SPDX-License-Identifier: Apache-2.0
// The weights of convolution kernels that heads share: see ops_convolution.h.
#include <algorithm>

#include "base/error.h"
#include "base/rounding.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops_convolution.h"
#include "model/tensor/profile.h"

namespace gloss {
namespace {

const ProfiledOperation kGroupedSoftmax("softmax of kernels");
const ProfiledOperation kGroupedSoftmaxGradient("softmax of kernels: gradient");

constexpr std::int64_t kSoftmaxGrain = 16;  // minimum groups per thread

}  // namespace

Tensor grouped_softmax(const Tensor& x, std::int64_t size, const DropoutMask& mask) {
  expects(size > 0 && x.columns() % size == 0, "softmax of kernels: x ", x.shape().text(), " in groups of ",
          size);
  const std::int64_t groups = x.count() / size;
  const Tensor y = Tensor::uninitialised(x.shape(), x.dtype());
  const std::vector<Tensor> inputs{x.without_values()};
  const bool drops = mask.threshold > 0;
  const Tensor shares =
      drops && any_wants_gradient(inputs) ? Tensor::uninitialised(x.shape(), x.dtype()) : Tensor();
  {
    const ProfiledTime time(kGroupedSoftmax, 20 * y.count(), 2 * y.bytes());
    for_dtype(y.dtype(), [&]<class Number>() {
      parallel_ranges(groups, kSoftmaxGrain, [&](std::int64_t first, std::int64_t last) {
        const Tensor scratch = Tensor::uninitialised({round_up(size, std::int64_t{16})});
        kernels().of<Number>().softmax_groups(
            {.x = x.data_as<Number>() + first * size,
             .shares = shares ? shares.data_as<Number>() + first * size : nullptr,
             .y = y.data_as<Number>() + first * size,
             .groups = last - first,
             .size = size,
             .dropout = mask,
             .first = first * size},
            scratch.data());
      });
    });
  }
  return record(
      y, inputs,
      [=, kept = shares ? shares : y.without_gradient()](const Tensor& dy, std::span<const Tensor> of) {
        const GradientSlot dx = of[0].gradient_slot();
        const ProfiledTime time(kGroupedSoftmaxGradient, 8 * dy.count(), 3 * dy.bytes());
        for_dtype(dy.dtype(), [&]<class Number>() {
          parallel_ranges(groups, kSoftmaxGrain, [&](std::int64_t first, std::int64_t last) {
            kernels().of<Number>().softmax_groups_gradient({.gradient = dy.data_as<Number>() + first * size,
                                                            .shares = kept.data_as<Number>() + first * size,
                                                            .x = dx.values.data_as<Number>() + first * size,
                                                            .accumulate = dx.accumulate,
                                                            .groups = last - first,
                                                            .size = size,
                                                            .dropout = mask,
                                                            .first = first * size});
          });
        });
      });
}

Tensor channel_weights(const Tensor& weights, std::int64_t width) {
  const std::int64_t heads = weights.rows(), taps = weights.columns(), channels = width / heads;
  expects(channels * heads == width, "weights of channels: ", weights.shape().text(), " for width ", width);
  const Tensor y = Tensor::uninitialised({taps, width});
  for (std::int64_t k = 0; k < taps; ++k) {
    for (std::int64_t head = 0; head < heads; ++head)
      std::fill_n(y.data() + k * width + head * channels, channels, weights.data()[head * taps + k]);
  }
  return record(y, {weights.without_values()}, [=](const Tensor& dy, std::span<const Tensor> of) {
    const Tensor to = of[0].gradient();
    for (std::int64_t k = 0; k < taps; ++k) {
      for (std::int64_t head = 0; head < heads; ++head) {
        const float* from = dy.data() + k * width + head * channels;
        float total = 0;
        for (std::int64_t i = 0; i < channels; ++i) total += from[i];
        to.data()[head * taps + k] += total;
      }
    }
  });
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "base/error.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops.h"
#include "model/tensor/profile.h"

namespace gloss {
namespace {

const ProfiledOperation kActivation("activation");
const ProfiledOperation kActivationGradient("activation: gradient");

constexpr std::int64_t kActivationCountGrain = 16384;  // minimum elements per thread; whole vectors
constexpr std::int64_t kActivationRowGrain = 16;       // minimum rows per thread

Tensor scaled_copy(const Tensor& x, float factor) {
  const Tensor y = Tensor::uninitialised(x.shape(), x.dtype());
  const ProfiledTime time(kActivation, y.count(), 2 * y.bytes());
  for_dtype(y.dtype(), [&]<class Number>() {
    parallel_ranges(y.count(), kActivationCountGrain, [&](std::int64_t first, std::int64_t last) {
      std::copy_n(x.data_as<Number>() + first, last - first, y.data_as<Number>() + first);
      kernels().of<Number>().multiply(y.data_as<Number>() + first, factor, last - first);
    });
  });
  return y;
}

}  // namespace

Tensor activate(const Tensor& x, Activation activation, const DropoutMask& mask) {
  const auto which = static_cast<int>(activation);
  const Tensor y = Tensor::uninitialised(x.shape(), x.dtype());
  {
    const ProfiledTime time(kActivation, 20 * y.count(), 2 * y.bytes());
    for_dtype(y.dtype(), [&]<class Number>() {
      parallel_ranges(y.count(), kActivationCountGrain, [&](std::int64_t first, std::int64_t last) {
        kernels().of<Number>().activate[which]({.x = x.data_as<Number>() + first,
                                                .y = y.data_as<Number>() + first,
                                                .dropout = mask,
                                                .first = first,
                                                .count = last - first});
      });
    });
  }
  return record(y, {x}, [which, mask](const Tensor& dy, std::span<const Tensor> of) {
    const GradientSlot dx = of[0].gradient_slot();
    const ProfiledTime time(kActivationGradient, 30 * dy.count(), (3 + dx.accumulate) * dy.bytes());
    for_dtype(dy.dtype(), [&]<class Number>() {
      parallel_ranges(dy.count(), kActivationCountGrain, [&](std::int64_t first, std::int64_t last) {
        kernels().of<Number>().activate_gradient[which]({.gradient = dy.data_as<Number>() + first,
                                                         .x = of[0].data_as<Number>() + first,
                                                         .x_gradient = dx.values.data_as<Number>() + first,
                                                         .accumulate = dx.accumulate,
                                                         .dropout = mask,
                                                         .first = first,
                                                         .count = last - first});
      });
    });
  });
}

Tensor scale(const Tensor& x, float factor) {
  return record(scaled_copy(x, factor), {x.without_values()},
                [factor](const Tensor& dy, std::span<const Tensor> of) {
                  of[0].hand_gradient(scaled_copy(dy, factor));
                });
}

Tensor gate(const Tensor& x, Activation activation, const DropoutMask& mask) {
  expects(x.columns() % 2 == 0, "gate: x ", x.shape().text());
  const auto which = static_cast<int>(activation);
  const std::int64_t rows = x.rows(), width = x.columns() / 2;
  const Tensor y = Tensor::uninitialised({rows, width}, x.dtype());
  {
    const ProfiledTime time(kActivation, 20 * y.count(), x.bytes() + y.bytes());
    for_dtype(y.dtype(), [&]<class Number>() {
      parallel_ranges(rows, kActivationRowGrain, [&](std::int64_t first, std::int64_t last) {
        kernels().of<Number>().gate_rows[which]({.x = x.data_as<Number>() + first * 2 * width,
                                                 .y = y.data_as<Number>() + first * width,
                                                 .dropout = mask},
                                                {.first = first, .rows = last - first, .width = width});
      });
    });
  }
  return record(y, {x}, [which, mask, rows, width](const Tensor& dy, std::span<const Tensor> of) {
    const GradientSlot dx = of[0].gradient_slot();
    const ProfiledTime time(kActivationGradient, 40 * dy.count(), (5 + 2 * dx.accumulate) * dy.bytes());
    for_dtype(dy.dtype(), [&]<class Number>() {
      parallel_ranges(rows, kActivationRowGrain, [&](std::int64_t first, std::int64_t last) {
        kernels().of<Number>().gate_rows_gradient[which](
            {.gradient = dy.data_as<Number>() + first * width,
             .x = of[0].data_as<Number>() + first * 2 * width,
             .x_gradient = dx.values.data_as<Number>() + first * 2 * width,
             .accumulate = dx.accumulate,
             .dropout = mask},
            {.first = first, .rows = last - first, .width = width});
      });
    });
  });
}

}  // namespace gloss

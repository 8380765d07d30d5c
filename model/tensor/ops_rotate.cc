// SPDX-License-Identifier: Apache-2.0

#include <cstring>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops.h"
#include "model/tensor/profile.h"

namespace gloss {
namespace {

const ProfiledOperation kRotate("rotation by position");
const ProfiledOperation kRotateGradient("rotation by position: gradient");

constexpr std::int64_t kRotationRowGrain = 64;  // minimum rows per thread

/// y = rotated x, or adds it to y.
template <class Number>
void turn(const Tensor& x, const Tensor& angles, const std::vector<std::int32_t>& places, int heads,
          bool back, const GradientSlot& y) {
  const std::int64_t width = angles.columns(), turned = heads * width, rest = x.columns() - turned;
  parallel_ranges(x.rows(), kRotationRowGrain, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t r = first; r < last; ++r) {
      const float* const cosines = angles.data() + places[index(r)] * width;
      const auto* const from = static_cast<const Number*>(x.raw_row(r));
      auto* const to = static_cast<Number*>(y.values.raw_row(r));
      kernels().of<Number>().rotate({.x = from,
                                     .cosines = cosines,
                                     .sines = cosines + width / 2,
                                     .back = back,
                                     .y = to,
                                     .accumulate = y.accumulate,
                                     .heads = heads,
                                     .width = width});
      if (y.accumulate) {
        kernels().of<Number>().add(to + turned, from + turned, rest);
      } else {
        std::memcpy(to + turned, from + turned, index(rest) * sizeof(Number));
      }
    }
  });
}

}  // namespace

Tensor rotate(const Tensor& x, const Tensor& angles, std::vector<std::int32_t> places, int heads) {
  expects(angles.columns() % 2 == 0 && heads * angles.columns() <= x.columns() &&
              static_cast<std::int64_t>(places.size()) == x.rows(),
          "rotate: x ", x.shape().text(), ", ", places.size(), " places, ", heads, " heads, angles ",
          angles.shape().text());
  for (const std::int32_t place : places) {
    expects(place >= 0 && place < angles.rows(), "rotate: place ", place, " of ", angles.rows());
  }
  Tensor y = Tensor::uninitialised(x.shape(), x.dtype());
  {
    const ProfiledTime time(kRotate, 3 * y.count(), 2 * y.bytes());
    for_dtype(y.dtype(), [&]<class Number>() { turn<Number>(x, angles, places, heads, false, {y, false}); });
  }
  return record(y, {x.without_values()},
                [angles, heads, places = std::move(places)](const Tensor& dy, std::span<const Tensor> of) {
                  const GradientSlot slot = of[0].gradient_slot();
                  const ProfiledTime time(kRotateGradient, 3 * dy.count(), 2 * dy.bytes());
                  for_dtype(dy.dtype(),
                            [&]<class Number>() { turn<Number>(dy, angles, places, heads, true, slot); });
                });
}

}  // namespace gloss

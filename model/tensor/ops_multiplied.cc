// SPDX-License-Identifier: Apache-2.0

#include <algorithm>

#include "model/kernels/kernels.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/ops.h"
#include "model/tensor/profile.h"

namespace gloss {
namespace {

const ProfiledOperation kMultiplied("multiplication by a constant");

constexpr std::int64_t kMultipliedGrain = 64;  // minimum rows per thread

/// Writes x times a constant, or adds it.
template <class Number>
void multiply_rows(const Tensor& x, float factor, const GradientSlot& y) {
  const std::int64_t columns = x.columns();
  parallel_ranges(x.rows(), kMultipliedGrain, [&](std::int64_t first, std::int64_t last) {
    const Tensor scratch = y.accumulate ? Tensor::uninitialised({columns}, x.dtype()) : Tensor();
    for (std::int64_t row = first; row < last; ++row) {
      Number* const to = y.values.data_as<Number>() + row * columns;
      Number* const product = y.accumulate ? scratch.data_as<Number>() : to;
      std::copy_n(x.data_as<Number>() + row * columns, columns, product);
      kernels().of<Number>().multiply(product, factor, columns);
      if (y.accumulate) kernels().of<Number>().add(to, product, columns);
    }
  });
}

void multiply_into(const Tensor& x, float factor, const GradientSlot& y) {
  const ProfiledTime time(kMultiplied, x.count(), 2 * x.bytes());
  for_dtype(x.dtype(), [&]<class Number>() { multiply_rows<Number>(x, factor, y); });
}

}  // namespace

Tensor multiplied(const Tensor& x, float factor) {
  const Tensor y = Tensor::uninitialised(x.shape(), x.dtype());
  multiply_into(x, factor, {y, false});
  return record(y, {x.without_values()}, [factor](const Tensor& dy, std::span<const Tensor> of) {
    multiply_into(dy, factor, of[0].gradient_slot());
  });
}

}  // namespace gloss

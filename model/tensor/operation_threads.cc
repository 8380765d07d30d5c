// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/operation_threads.h"

#include <omp.h>

#include <algorithm>
#include <exception>

#include "base/rounding.h"

namespace gloss {
namespace {
/// OpenMP's thread count, which oneDNN uses, is 1: one thread computes each oneDNN product.
thread_local int operation_threads = (omp_set_num_threads(1), 1);
}  // namespace

void set_threads_per_operation(int threads) { operation_threads = std::max(1, threads); }

int threads_per_operation() { return operation_threads; }

void parallel_ranges(std::int64_t count, std::int64_t grain,
                     const std::function<void(std::int64_t, std::int64_t)>& work) {
  const std::int64_t grains = ceil_div(count, grain);
  const auto ranges = static_cast<int>(std::min<std::int64_t>(operation_threads, grains));
  if (ranges <= 1) {
    if (count > 0) work(0, count);
    return;
  }
  std::exception_ptr failure;
#pragma omp parallel for num_threads(ranges) schedule(static, 1)
  for (int range = 0; range < ranges; ++range) {
    const std::int64_t first = grains * range / ranges * grain;
    const std::int64_t last = std::min(count, grains * (range + 1) / ranges * grain);
    try {
      work(first, last);
    } catch (...) {
#pragma omp critical
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gloss

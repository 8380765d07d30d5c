// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/operation_threads.h"

#include <omp.h>

#include <algorithm>
#include <exception>

#include "base/rounding.h"

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace gloss {
namespace {
// The thread sanitizer does not see that the threads of an OpenMP loop begin after the code before it and end
// before the code after it: these functions show it the order.
#if defined(__SANITIZE_THREAD__)
#define GLOSS_UNOBSERVED __attribute__((no_sanitize("thread")))
void done_before(void* event) { __tsan_release(event); }
void begin_after(void* event) { __tsan_acquire(event); }
#else
#define GLOSS_UNOBSERVED
void done_before(void*) {}
void begin_after(void*) {}
#endif

thread_local int operation_threads = 1;
}  // namespace

void set_threads_per_operation(int threads) { operation_threads = std::max(1, threads); }

int threads_per_operation() { return operation_threads; }

void compute_products_on_one_thread() { omp_set_num_threads(1); }

GLOSS_UNOBSERVED
void parallel_ranges(std::int64_t count, std::int64_t grain,
                     const std::function<void(std::int64_t, std::int64_t)>& work) {
  const std::int64_t grains = ceil_div(count, grain);
  const auto ranges = static_cast<int>(std::min<std::int64_t>(operation_threads, grains));
  if (ranges <= 1) {
    if (count > 0) work(0, count);
    return;
  }
  std::exception_ptr failure;
  char begin = 0, end = 0;
  done_before(&begin);
#pragma omp parallel for num_threads(ranges) schedule(static, 1)
  for (int range = 0; range < ranges; ++range) {
    begin_after(&begin);
    const std::int64_t first = grains * range / ranges * grain;
    const std::int64_t last = std::min(count, grains * (range + 1) / ranges * grain);
    try {
      work(first, last);
    } catch (...) {
#pragma omp critical
      failure = std::current_exception();
    }
    done_before(&end);
  }
  begin_after(&end);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace gloss

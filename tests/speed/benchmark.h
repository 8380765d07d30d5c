// SPDX-License-Identifier: Apache-2.0

#pragma once

// Shared by the benchmarks.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/threads.h"
#include "model/tensor/matmul.h"
#include "model/tensor/operation_threads.h"
#include "model/tensor/profile.h"
#include "model/tensor/tensor.h"

namespace gloss {

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Peak speed of products of large matrices: the best of several runs, all threads together, in FLOP/s.
inline double matmul_peak(DType type, int threads) {
  constexpr std::int64_t kSize = 1024;
  double best = 0;
  for (int run = 0; run < 5; ++run) {
    const Clock::time_point start = Clock::now();
    constexpr int kTimes = 8;
    run_workers(threads, [&](int) {
      set_threads_per_operation(1);
      const Tensor a = Tensor::zeros({kSize, kSize}, type), b = Tensor::zeros({kSize, kSize}, type),
                   c = Tensor::zeros({kSize, kSize}, type);
      for (int i = 0; i < kTimes; ++i) {
        matmul({.m = kSize, .n = kSize, .k = kSize, .type = type, .result = type}, a.raw(), b.raw(), c.raw());
      }
    });
    best = std::max(best, 2.0 * kSize * kSize * kSize * kTimes * threads / seconds_since(start));
  }
  return best;
}

/// Prints each operation's share of `seconds`, the total time of all threads, if profiling was on.
inline void print_profile(double seconds) {
  for (const OperationProfile& p : profile()) {
    std::printf("  %-36s %5.1f %% %8.1f GFLOP/s %8.1f GB/s\n", p.name.c_str(), 100 * p.seconds / seconds,
                static_cast<double>(p.flops) / p.seconds * 1e-9,
                static_cast<double>(p.bytes) / p.seconds * 1e-9);
  }
}

/// Peak memory of this process, in GiB.
inline double peak_memory() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_maxrss) / (1 << 20);
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>

namespace gloss {

/// Number of threads that one operation called from this thread may use; set per calling thread. Results do
/// not depend on it, unless an operation's documentation says so.
void set_threads_per_operation(int threads);
int threads_per_operation();

/// Lets oneDNN, which uses as many threads as OpenMP has for the calling thread, compute each product on that
/// thread alone.
void compute_products_on_one_thread();

/// During its lifetime, operations of the calling thread run on that thread alone.
class SingleThreaded {
 public:
  SingleThreaded() : before_(threads_per_operation()) { set_threads_per_operation(1); }
  ~SingleThreaded() { set_threads_per_operation(before_); }
  SingleThreaded(const SingleThreaded&) = delete;
  SingleThreaded& operator=(const SingleThreaded&) = delete;

 private:
  int before_;
};

/// Calls `work(first, last)` for ranges that together cover [0, count), on the operation's threads. The
/// length of every range but the last is a multiple of `grain`; the boundaries may depend on the number of
/// threads.
void parallel_ranges(std::int64_t count, std::int64_t grain,
                     const std::function<void(std::int64_t first, std::int64_t last)>& work);

}  // namespace gloss

#pragma once

#include <cstdint>
#include <functional>

namespace gloss {

/// How many threads one operation called from this thread may use; a setting of the calling thread. Results
/// do not depend on it, except where an operation's documentation says so.
void set_threads_per_operation(int threads);
int threads_per_operation();

/// While it lives, operations of the calling thread use that thread alone.
class SingleThreaded {
 public:
  SingleThreaded() : before_(threads_per_operation()) { set_threads_per_operation(1); }
  ~SingleThreaded() { set_threads_per_operation(before_); }
  SingleThreaded(const SingleThreaded&) = delete;
  SingleThreaded& operator=(const SingleThreaded&) = delete;

 private:
  int before_;
};

/// Calls `work(first, last)` for ranges that together cover [0, count), on the operation's threads. Every
/// range but the last is a multiple of `grain` long; where a range begins may depend on the number of
/// threads.
void parallel_ranges(std::int64_t count, std::int64_t grain,
                     const std::function<void(std::int64_t first, std::int64_t last)>& work);

}  // namespace gloss

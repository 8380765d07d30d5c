#include "base/threads.h"

#include <sched.h>

#include <system_error>

#include <algorithm>
#include <atomic>

namespace gloss {

int available_processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void run_workers(int threads, const std::function<void(int)>& work) {
  std::exception_ptr first;
  std::mutex guard;
  const auto safely = [&](int worker) {
    try {
      work(worker);
    } catch (...) {
      const std::lock_guard lock(guard);
      if (!first) first = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  try {
    for (int worker = 1; worker < threads; ++worker) others.emplace_back(safely, worker);
  } catch (const std::system_error&) {
    // The system gives no more threads: those there are do the work.
  }
  safely(0);
  for (std::thread& thread : others) thread.join();
  if (first) std::rethrow_exception(first);
}

void for_each_item(int threads, std::int64_t count, const std::function<void(std::int64_t)>& work) {
  std::atomic<std::int64_t> next = 0;
  const auto workers = static_cast<int>(std::min<std::int64_t>(threads, count));
  run_workers(workers, [&](int) {
    for (std::int64_t item; (item = next++) < count;) {
      try {
        work(item);
      } catch (...) {
        next = count;
        throw;
      }
    }
  });
}

}  // namespace gloss

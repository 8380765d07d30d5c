// SPDX-License-Identifier: Apache-2.0

#include "base/threads.h"

#include <sched.h>

#include <algorithm>
#include <atomic>

#include "base/worker_threads.h"

namespace gloss {

int available_processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void run_workers(int threads, const std::function<void(int)>& work) {
  WorkerThreads workers(threads);
  workers.run(workers.count(), work);
}

int startable_threads(int wanted) { return WorkerThreads(wanted).count(); }

void for_each_item(int threads, std::int64_t count, const std::function<void(std::int64_t)>& work) {
  std::atomic<std::int64_t> next = 0;
  const auto workers = static_cast<int>(std::clamp<std::int64_t>(count, 1, threads));
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

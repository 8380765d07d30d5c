// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace gloss {

/// The number of processors that this process may use.
int available_processors();

/// How many of `wanted` threads can be started, at least 1: the system limits their number and the memory.
int startable_threads(int wanted);

/// Runs `work(worker)` concurrently on `threads` threads, or on as many as can be started; worker 0 on the
/// calling thread. After all have ended, rethrows the first exception of any worker.
void run_workers(int threads, const std::function<void(int worker)>& work);

/// Runs `work(item)` once for each item 0 to count - 1 on up to `threads` threads; each thread takes the next
/// free item. After an exception, which is rethrown here, no new items are started.
void for_each_item(int threads, std::int64_t count, const std::function<void(std::int64_t item)>& work);

/// Takes items from `source` (which returns false at the end), turns each into a result with `work` on
/// `threads` threads, and passes the results to `sink` in the order of the items. Neither `source` nor `sink`
/// is called concurrently with itself, but both may run at the same time. At most `threads` + `waiting` items
/// are in progress, which bounds the memory.
template <class Item, class Result>
void ordered_parallel(int threads, int waiting, const std::function<bool(Item&)>& source,
                      const std::function<Result(Item&, int worker)>& work,
                      const std::function<void(Result&)>& sink) {
  std::mutex reading, state;
  std::condition_variable moved;
  std::map<std::int64_t, Result> finished;
  std::int64_t taken = 0, written = 0;
  bool ended = false, writing = false, failed = false;

  run_workers(threads, [&](int worker) {
    try {
      while (true) {
        Item item;
        std::int64_t number;
        {
          const std::lock_guard read_lock(reading);
          {
            std::unique_lock lock(state);
            moved.wait(lock, [&] { return failed || taken - written < threads + waiting; });
            if (ended || failed) return;
          }
          if (!source(item)) {
            const std::lock_guard lock(state);
            ended = true;
            return;
          }
          const std::lock_guard lock(state);
          number = taken++;
        }
        Result result = work(item, worker);
        std::unique_lock lock(state);
        finished.emplace(number, std::move(result));
        // Only one thread writes at a time; it also writes the results that others finish meanwhile.
        while (!writing && !failed && !finished.empty() && finished.begin()->first == written) {
          writing = true;
          auto next = finished.extract(finished.begin());
          lock.unlock();
          sink(next.mapped());  // if this throws, `failed` prevents the others from writing
          lock.lock();
          writing = false;
          ++written;
          moved.notify_all();
        }
      }
    } catch (...) {
      const std::lock_guard lock(state);
      failed = true;
      moved.notify_all();
      throw;
    }
  });
}

}  // namespace gloss

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

/// The number of processors this process may use.
int available_processors();

/// Runs `work(worker)` for worker 0 .. threads - 1 at the same time; worker 0 on the calling thread. The
/// first exception of any worker is thrown here after all have ended. Throws Error, before any work is begun,
/// if the system does not give so many threads.
void run_workers(int threads, const std::function<void(int worker)>& work);

/// Runs `work(item)` once for every item 0 .. count - 1 on up to `threads` threads at once, each taking the
/// next item that is left. After an exception, which is thrown here, no further items are begun.
void for_each_item(int threads, std::int64_t count, const std::function<void(std::int64_t item)>& work);

/// Takes items from `source` (false: no more), turns each into a result by `work` on `threads` threads at
/// once, and hands the results to `sink` in the order of the items. `source` and `sink` are never called
/// twice at a time, but may run beside each other. At most `threads` + `waiting` items are under way, so
/// memory stays bounded.
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
        // One thread at a time writes; what others finish meanwhile it takes along.
        while (!writing && !failed && !finished.empty() && finished.begin()->first == written) {
          writing = true;
          auto next = finished.extract(finished.begin());
          lock.unlock();
          sink(next.mapped());  // if it throws, `failed` keeps the others from writing
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

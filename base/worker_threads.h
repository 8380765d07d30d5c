// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gloss {

/// Threads that persist between calls of `run`, and with them their thread-local data (pooled memory,
/// settings).
class WorkerThreads {
 public:
  /// Starts `count` - 1 threads, or as many as the system and the limit of the address space allow; the
  /// calling thread is worker 0.
  explicit WorkerThreads(int count);
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  /// The number of threads that could be started, with the calling one.
  int count() const { return static_cast<int>(others_.size()) + 1; }
  /// Runs `work(worker)` concurrently for workers 0 to `workers` - 1 (at most `count`), each always on the
  /// same thread; worker 0 on the calling thread, which must be the one that created this object. After all
  /// have ended, rethrows the first exception of any worker.
  void run(int workers, const std::function<void(int worker)>& work);

 private:
  void serve(int worker);
  void close();
  void work_safely(int worker, const std::function<void(int)>& work);

  std::vector<std::thread> others_;
  std::mutex guard_;
  std::condition_variable begun_, ended_;
  const std::function<void(int)>* work_ = nullptr;
  std::uint64_t round_ = 0;  // number of calls of `run`
  int workers_ = 0;          // number of workers in this round
  int running_ = 0;
  bool closing_ = false;
  std::exception_ptr failure_;
};

}  // namespace gloss

#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace gloss {

/// Threads that stay between pieces of work, so that what belongs to a thread (pooled memory, settings)
/// stays too.
class WorkerThreads {
 public:
  /// The calling thread is worker 0; `count` - 1 others are started.
  explicit WorkerThreads(int count);
  ~WorkerThreads();
  WorkerThreads(const WorkerThreads&) = delete;
  WorkerThreads& operator=(const WorkerThreads&) = delete;

  int count() const { return static_cast<int>(others_.size()) + 1; }
  /// Runs `work(worker)` for worker 0 .. `workers` - 1 (at most `count`) at the same time, each worker always
  /// on the same thread; worker 0 on the calling thread, which must be the one that made this object. The
  /// first exception of any worker is thrown here after all have ended.
  void run(int workers, const std::function<void(int worker)>& work);

 private:
  void serve(int worker);
  void close();
  void work_safely(int worker, const std::function<void(int)>& work);

  std::vector<std::thread> others_;
  std::mutex guard_;
  std::condition_variable begun_, ended_;
  const std::function<void(int)>* work_ = nullptr;
  std::uint64_t round_ = 0;  // counts calls of `run`
  int workers_ = 0;          // that take part in this round
  int running_ = 0;
  bool closing_ = false;
  std::exception_ptr failure_;
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "base/worker_threads.h"

#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/index.h"
#include "base/memory.h"

namespace gloss {
namespace {

/// Address space for a thread's stack, and for its work, such as the C library's heap for each thread.
constexpr std::size_t kStack = std::size_t{8} << 20, kWork = std::size_t{40} << 20;

}  // namespace

WorkerThreads::WorkerThreads(int count) {
  others_.reserve(index(count));
  for (int worker = 1; worker < count; ++worker) {
    if (!addresses_are_left(kStack + kWork * index(worker + 1))) return;
    try {
      others_.emplace_back([this, worker] { serve(worker); });
    } catch (const std::system_error&) {
      return;  // the system starts no more
    }
  }
}

WorkerThreads::~WorkerThreads() { close(); }

void WorkerThreads::close() {
  {
    const std::lock_guard lock(guard_);
    closing_ = true;
  }
  begun_.notify_all();
  for (std::thread& thread : others_) thread.join();
}

void WorkerThreads::run(int workers, const std::function<void(int)>& work) {
  expects(workers >= 1 && workers <= count(), "run() with ", workers, " workers of ", count());
  if (workers == 1) {
    work(0);
    return;
  }
  {
    const std::lock_guard lock(guard_);
    work_ = &work;
    workers_ = workers;
    running_ = workers - 1;
    ++round_;
  }
  begun_.notify_all();
  work_safely(0, work);
  std::unique_lock lock(guard_);
  ended_.wait(lock, [this] { return running_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void WorkerThreads::serve(int worker) {
  std::uint64_t seen = 0;
  while (true) {
    const std::function<void(int)>* work = nullptr;
    {
      std::unique_lock lock(guard_);
      begun_.wait(lock, [&] { return closing_ || round_ != seen; });
      if (closing_) return;
      seen = round_;
      if (worker < workers_) work = work_;
    }
    if (work == nullptr) continue;
    work_safely(worker, *work);
    const std::lock_guard lock(guard_);
    if (--running_ == 0) ended_.notify_one();
  }
}

void WorkerThreads::work_safely(int worker, const std::function<void(int)>& work) {
  try {
    work(worker);
  } catch (...) {
    const std::lock_guard lock(guard_);
    if (!failure_) failure_ = std::current_exception();
  }
}

}  // namespace gloss

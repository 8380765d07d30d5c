// SPDX-License-Identifier: Apache-2.0

#include "base/worker_threads.h"

#include <sys/mman.h>

#include <new>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

/// True if the address space limit (ulimit -v) leaves enough for the work of `threads` threads, such as the
/// C library's heap for each thread. Checked in advance because oneDNN crashes if it cannot allocate memory.
bool addresses_are_left(int threads) {
  constexpr std::size_t kEach = std::size_t{24} << 20;
  const std::size_t size = kEach * index(threads);
  void* const tried = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (tried == MAP_FAILED) return false;
  ::munmap(tried, size);
  return true;
}

}  // namespace

WorkerThreads::WorkerThreads(int count) {
  try {
    others_.reserve(index(count));
    for (int worker = 1; worker < count; ++worker) others_.emplace_back([this, worker] { serve(worker); });
  } catch (const std::system_error& error) {
    const std::size_t started = others_.size() + 1;
    close();
    throw Error(
        concat("cannot start ", count, " threads, only ", started, ": ", error.what(), "; reduce --threads"));
  } catch (const std::bad_alloc&) {
    close();
    throw;
  }
  if (count > 1 && !addresses_are_left(count)) {
    close();
    throw Error(concat("not enough memory for the work of ", count,
                       " threads; reduce --threads or raise the limit (ulimit -v)"));
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

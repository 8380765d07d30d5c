// SPDX-License-Identifier: Apache-2.0
// Ranks that communicate through MPI. Waiting calls poll and sleep in between, because MPI's own busy waiting
// would take the processors from the worker threads.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <limits>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "base/index.h"
#include "base/mpi_module.h"
#include "base/ranks.h"

namespace gloss {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kNap = std::chrono::microseconds(50);
constexpr auto kLookEvery = std::chrono::milliseconds(50);
constexpr int kPollsBeforeNaps = 20;
// Limit of concurrent sums: MPI allocates a buffer of the same size for each.
constexpr std::size_t kMostSums = 4;

class MpiRanks : public Ranks {
 public:
  explicit MpiRanks(const MpiOperations& mpi) : mpi_(mpi), place_(mpi.join()) {
    if (place_.size == 1) {
      throw Error(concat("was started as one of ", launched_processes(),
                         " processes by the mpirun of a different MPI library than gloss was built with; use "
                         "Open MPI's mpirun"));
    }
    if (!place_.threads) throw Error("the installed MPI library does not support threads");
    summing_ = std::thread([this] { make_sums(); });
  }

  ~MpiRanks() override { stop_summing(); }

  int rank() const override { return place_.rank; }
  int size() const override { return place_.size; }

  std::vector<std::string> gather(const std::string& own) override {
    const auto ranks = index(place_.size);
    std::vector<std::int64_t> sizes(ranks);
    const auto own_size = static_cast<std::int64_t>(own.size());
    wait([&] { return mpi_.gather_number(&own_size, sizes.data()); });
    std::vector<int> counts, starts;
    std::int64_t total = 0;
    for (const std::int64_t size : sizes) {
      starts.push_back(static_cast<int>(total));
      counts.push_back(static_cast<int>(size));
      total += size;
      expects(total <= std::numeric_limits<int>::max(), "gather() got more than 2 GiB of text");
    }
    std::string all(index(total), '\0');
    wait([&] {
      return mpi_.gather_bytes(own.data(), static_cast<int>(own_size), all.data(), counts.data(),
                               starts.data());
    });
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < ranks; ++i) {
      texts.push_back(all.substr(index(starts[i]), index(sizes[i])));
    }
    return texts;
  }

  void sum(std::span<double> values) override {
    wait([&] { return mpi_.sum_doubles(values.data(), values.size()); });
  }

  void start_sum(std::span<float> values) override {
    const std::lock_guard lock(guard_);
    waiting_sums_.push_back(values);
    ++unfinished_sums_;
    moved_.notify_all();
  }

  void finish_sums() override {
    std::unique_lock lock(guard_);
    while (!moved_.wait_for(lock, kLookEvery, [this] { return unfinished_sums_ == 0; })) {
      lock.unlock();
      look();
      lock.lock();
    }
  }

  void while_waiting(std::function<void()> look) override { look_ = std::move(look); }

 protected:
  void leave_job() override {
    stop_summing();
    mpi_.leave();
  }

 private:
  void look() const {
    if (look_) look_();
  }

  /// Starts a non-blocking operation and waits for its end.
  template <class Start>
  void wait(const Start& start) {
    MpiRequest* request = nullptr;
    {
      const std::lock_guard lock(calling_);
      request = start();
    }
    Clock::time_point last_look = Clock::now();
    for (int polls = 0;; ++polls) {
      if (has_ended(request)) return;
      if (polls < kPollsBeforeNaps) {
        std::this_thread::yield();
        continue;
      }
      std::this_thread::sleep_for(kNap);
      if (Clock::now() - last_look > kLookEvery) {
        look();
        last_look = Clock::now();
      }
    }
  }

  bool has_ended(MpiRequest* request) {
    const std::lock_guard lock(calling_);
    return mpi_.ended(request);
  }

  /// Main function of the thread that computes the sums, in the order in which they were started.
  void make_sums() {
    std::vector<MpiRequest*> under_way;
    std::unique_lock lock(guard_);
    while (!closing_) {
      if (under_way.empty()) {
        moved_.wait(lock, [this] { return closing_ || !waiting_sums_.empty(); });
      }
      std::vector<std::span<float>> starting;
      while (!waiting_sums_.empty() && under_way.size() + starting.size() < kMostSums) {
        starting.push_back(waiting_sums_.front());
        waiting_sums_.pop_front();
      }
      lock.unlock();
      const std::size_t done = move_on(starting, under_way);
      if (done == 0) std::this_thread::sleep_for(kNap);
      lock.lock();
      unfinished_sums_ -= done;
      if (unfinished_sums_ == 0) moved_.notify_all();
    }
  }

  /// Starts the sums in `starting` and returns how many of the running ones have ended.
  std::size_t move_on(const std::vector<std::span<float>>& starting, std::vector<MpiRequest*>& under_way) {
    const std::lock_guard lock(calling_);
    for (const std::span<float>& values : starting) {
      under_way.push_back(mpi_.sum_floats(values.data(), values.size()));
    }
    return std::erase_if(under_way, [this](MpiRequest* request) { return mpi_.ended(request); });
  }

  void stop_summing() {
    {
      const std::lock_guard lock(guard_);
      closing_ = true;
      moved_.notify_all();
    }
    if (summing_.joinable()) summing_.join();
  }

  const MpiOperations& mpi_;
  const MpiProcess place_;
  std::function<void()> look_;
  std::mutex calling_;  // serialises the calls of MPI
  std::mutex guard_;    // protects the members below
  std::condition_variable moved_;
  std::deque<std::span<float>> waiting_sums_;
  std::size_t unfinished_sums_ = 0;
  bool closing_ = false;
  std::thread summing_;
};

}  // namespace

std::unique_ptr<Ranks> join_ranks() {
  // A single process does not need MPI, which takes time to start and installs signal handlers.
  if (launched_processes() <= 1) return std::make_unique<SingleRank>();
  const MpiModule& module = mpi_module();
  if (module.operations == nullptr) {
    throw Error(concat("was started as one of ", launched_processes(), " processes, but ", module.problem,
                       ", or start it without mpirun"));
  }
  return std::make_unique<MpiRanks>(*module.operations);
}

std::string mpi_version() {
  const MpiModule& module = mpi_module();
  const std::string whole = module.operations == nullptr ? "" : module.operations->version();
  return whole.substr(0, whole.find_first_of(",\n"));  // "Open MPI v4.1.4, package: ..."
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0
// The only file that uses MPI. Waiting calls poll and sleep in between, because MPI's own busy waiting would
// take the processors from the worker threads.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <limits>
#include <mutex>
#include <thread>

#include "base/error.h"
#include "base/index.h"
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
  MpiRanks() {
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    if (launched_processes() > 1 && size_ == 1) {
      throw Error(concat("was started as one of ", launched_processes(),
                         " processes by the mpirun of a different MPI library than gloss was built with; use "
                         "Open MPI's mpirun"));
    }
    if (level < MPI_THREAD_SERIALIZED) throw Error("the installed MPI library does not support threads");
    MPI_Comm_dup(MPI_COMM_WORLD, &sums_);
    summing_ = std::thread([this] { make_sums(); });
  }

  ~MpiRanks() override { stop_summing(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::vector<std::string> gather(const std::string& own) override {
    const auto ranks = index(size_);
    std::vector<std::int64_t> sizes(ranks);
    const auto own_size = static_cast<std::int64_t>(own.size());
    wait([&](MPI_Request* request) {
      MPI_Iallgather(&own_size, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, MPI_COMM_WORLD, request);
    });
    std::vector<int> counts, starts;
    std::int64_t total = 0;
    for (const std::int64_t size : sizes) {
      starts.push_back(static_cast<int>(total));
      counts.push_back(static_cast<int>(size));
      total += size;
      expects(total <= std::numeric_limits<int>::max(), "gather() got more than 2 GiB of text");
    }
    std::string all(index(total), '\0');
    wait([&](MPI_Request* request) {
      MPI_Iallgatherv(own.data(), static_cast<int>(own_size), MPI_CHAR, all.data(), counts.data(),
                      starts.data(), MPI_CHAR, MPI_COMM_WORLD, request);
    });
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < ranks; ++i) {
      texts.push_back(all.substr(index(starts[i]), index(sizes[i])));
    }
    return texts;
  }

  void sum(std::span<double> values) override {
    wait([&](MPI_Request* request) {
      MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_SUM,
                     MPI_COMM_WORLD, request);
    });
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
    MPI_Comm_free(&sums_);
    MPI_Finalize();
  }

 private:
  void look() const {
    if (look_) look_();
  }

  /// Starts a non-blocking operation and waits for its end.
  template <class Start>
  void wait(const Start& start) {
    MPI_Request request;
    {
      const std::lock_guard lock(calling_);
      start(&request);
    }
    Clock::time_point last_look = Clock::now();
    for (int polls = 0;; ++polls) {
      int done = 0;
      {
        const std::lock_guard lock(calling_);
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      }
      if (done != 0) return;
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

  /// Main function of the thread that computes the sums, in the order in which they were started.
  void make_sums() {
    std::vector<MPI_Request> under_way;
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
  std::size_t move_on(const std::vector<std::span<float>>& starting, std::vector<MPI_Request>& under_way) {
    const std::lock_guard lock(calling_);
    for (const std::span<float>& values : starting) {
      MPI_Request& request = under_way.emplace_back();
      MPI_Iallreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_FLOAT, MPI_SUM, sums_,
                     &request);
    }
    for (MPI_Request& request : under_way) {
      int done = 0;
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);  // sets a finished request to MPI_REQUEST_NULL
    }
    return std::erase(under_way, MPI_REQUEST_NULL);
  }

  void stop_summing() {
    {
      const std::lock_guard lock(guard_);
      closing_ = true;
      moved_.notify_all();
    }
    if (summing_.joinable()) summing_.join();
  }

  int rank_ = 0, size_ = 1;
  MPI_Comm sums_ = MPI_COMM_NULL;  // a communicator of its own: sums are not ordered relative to other calls
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
  if (launched_processes() > 1) return std::make_unique<MpiRanks>();
  return std::make_unique<SingleRank>();
}

std::string mpi_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  const std::string whole(text.data());
  return whole.substr(0, whole.find_first_of(",\n"));  // "Open MPI v4.1.4, package: ..."
}

}  // namespace gloss

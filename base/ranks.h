// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace gloss {

/// One of the processes of a job (`mpirun -n 4 gloss train ...`): its rank and its communication with the
/// others. Unless stated otherwise, all ranks make the same calls in the same order, from the thread that
/// called `join_ranks`, and get the same results bit for bit.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// True for rank 0, which writes files and prints.
  bool first() const { return rank() == 0; }

  /// The texts of all ranks, in the order of ranks.
  virtual std::vector<std::string> gather(const std::string& own) = 0;
  /// Replaces each number by its sum over the ranks.
  virtual void sum(std::span<double> values) = 0;

  /// Starts summing `values` in the background; they must not be accessed until `finish_sums` returns. Any
  /// thread may call it, but only one at a time.
  virtual void start_sum(std::span<float> values) = 0;
  /// Waits for all sums that were started.
  virtual void finish_sums() = 0;

  /// Calls `look` about every 50 ms while this rank waits for others; `look` must not communicate.
  virtual void while_waiting(std::function<void()> look) = 0;
  /// `leave` calls `prepare` first, while all other ranks still run: a rank that then exits with an error
  /// makes mpirun end the others.
  void before_leaving(std::function<void()> prepare) { before_leaving_ = std::move(prepare); }
  /// The last call: waits until all ranks have called it. A process that exits without it has failed, which
  /// ends the others too.
  void leave();
  bool left() const { return left_; }

 protected:
  /// Waits until all ranks have called it.
  virtual void leave_job() = 0;

 private:
  std::function<void()> before_leaving_;
  bool left_ = false;
};

/// A job of a single process: rank 0 of 1.
class SingleRank : public Ranks {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::vector<std::string> gather(const std::string& own) override { return {own}; }
  void sum(std::span<double>) override {}
  void start_sum(std::span<float>) override {}
  void finish_sums() override {}
  void while_waiting(std::function<void()>) override {}

 protected:
  void leave_job() override {}
};

/// The number of processes that the launcher of Open MPI, MPICH or a derivative started; 1 without a
/// launcher.
int launched_processes();
/// The rank of this process among them; 0 without a launcher.
int launched_rank();

/// Joins the job that mpirun started, or returns a SingleRank without mpirun. Throws Error if this process is
/// one of several but cannot communicate with the others.
std::unique_ptr<Ranks> join_ranks();

/// Thrown on ranks that exit silently because another rank reports the failure.
class OtherRankFailed : public std::runtime_error {
 public:
  OtherRankFailed() : std::runtime_error("another rank failed") {}
};

/// Ends the job cleanly if `failure` is not null on some rank: all ranks leave, the lowest failing rank
/// rethrows its failure, the others throw OtherRankFailed.
void throw_together(Ranks&, const std::exception_ptr& failure);
/// Runs `work`, which must not communicate, on all ranks; an exception on any rank is handled by
/// `throw_together`.
void together(Ranks&, const std::function<void()>& work);
/// Returns rank 0's `own` on all ranks.
std::string from_first(Ranks&, const std::string& own);
/// The texts of all ranks, concatenated in the order of ranks.
std::vector<std::string> gather_texts(Ranks&, std::span<const std::string> own);
/// True on all ranks if `own` is true on any.
bool on_any(Ranks&, bool own);
/// Replaces each count, below 2^53, by its sum over the ranks.
void sum_over(Ranks&, const std::vector<std::int64_t*>& counts);
/// The lowest rank whose `own` differs from rank 0's; -1 if there is none.
int different_rank(Ranks&, const std::string& own);

/// The MPI library that ranks would use and its version; empty if mpi_module() has a problem.
std::string mpi_version();

}  // namespace gloss

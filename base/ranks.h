#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace gloss {

/// One of the processes that work together on the same job (`mpirun -n 4 gloss train ...`), its rank among
/// them and what it exchanges with the others. Unless said otherwise all ranks make the same calls in the
/// same order, from the thread that joined; what they get is the same on all, bit for bit.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// True for the one that writes and speaks.
  bool first() const { return rank() == 0; }

  /// What each rank gave, in the order of ranks.
  virtual std::vector<std::string> gather(const std::string& own) = 0;
  /// Replaces each number by its sum over the ranks.
  virtual void sum(std::span<double> values) = 0;

  /// Begins the same for `values`, which nobody may touch until `finish_sums`: the sums are made in the
  /// background. Comes from any thread, one at a time.
  virtual void start_sum(std::span<float> values) = 0;
  /// Waits for all sums that were begun.
  virtual void finish_sums() = 0;

  /// `look` is called about every 50 ms while this rank waits for others; it must not exchange anything.
  virtual void while_waiting(std::function<void()> look) = 0;
  /// The last exchange: waits for the others to leave too. A rank that ends without it has failed, which
  /// ends all.
  virtual void leave() = 0;
  virtual bool left() const = 0;
};

/// A process by itself: rank 0 of 1.
class SingleRank : public Ranks {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  std::vector<std::string> gather(const std::string& own) override { return {own}; }
  void sum(std::span<double>) override {}
  void start_sum(std::span<float>) override {}
  void finish_sums() override {}
  void while_waiting(std::function<void()>) override {}
  void leave() override { left_ = true; }
  bool left() const override { return left_; }

 private:
  bool left_ = false;
};

/// How many processes the launcher (of Open MPI, or MPICH and its kin) says it started; 1 if there is none.
int launched_processes();

/// The job that this process was started in: by mpirun, or by itself. Throws Error if it was started as one
/// of several and cannot talk to the others.
std::unique_ptr<Ranks> join_ranks();

/// Thrown on ranks that have nothing to say about a failure, since another one says it: they end quietly.
class OtherRankFailed : public std::runtime_error {
 public:
  OtherRankFailed() : std::runtime_error("another rank failed") {}
};

/// Ends the job in good order if `failure` is not null on some rank: all leave, the lowest of those that
/// failed throws its own failure, all others OtherRankFailed.
void throw_together(Ranks&, const std::exception_ptr& failure);
/// Does `work`, which exchanges nothing, on all ranks; what it throws on any is thrown as by
/// `throw_together`.
void together(Ranks&, const std::function<void()>& work);
/// What the first rank gave.
std::string from_first(Ranks&, const std::string& own);
/// The texts of all ranks, those of the first rank first.
std::vector<std::string> gather_texts(Ranks&, std::span<const std::string> own);
/// True on all if it is true on any.
bool on_any(Ranks&, bool own);
/// The rank whose `own` differs from the first one's; -1 if there is none.
int different_rank(Ranks&, const std::string& own);

}  // namespace gloss

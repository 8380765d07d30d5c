#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/ranks.h"
#include "base/worker_threads.h"
#include "model/networks/batch.h"
#include "pipeline/batching.h"
#include "pipeline/gradient_sum.h"

namespace gloss {

/// Losses summed over target tokens, each times its weight.
struct LossFigures {
  double loss = 0;           ///< what is minimised
  double cross_entropy = 0;  ///< -log p of the targets in nats
  std::int64_t tokens = 0;   ///< target tokens
  double weight = 0;         ///< of the target tokens: by it sums are divided
  LossFigures& operator+=(const LossFigures& other) {
    loss += other.loss;
    cross_entropy += other.cross_entropy;
    tokens += other.tokens;
    weight += other.weight;
    return *this;
  }
};

/// Told of parts of a learner's gradients to which nothing more will be added.
using GradientFinished = std::function<void(std::span<const float> part)>;

/// Something that gives the gradient of a batch's summed loss: a network that shares its weights with others
/// and has gradients of its own.
class Learner {
 public:
  virtual ~Learner() = default;
  /// Called on one of the learners that share weights before they learn, since the weights may have changed.
  virtual void prepare(WorkerThreads&) {}
  /// Adds the gradient of the batch to `gradients`. May tell `finished`, if it is not empty, which parts are
  /// whole already while it computes the others.
  virtual LossFigures learn(const Batch&, Random&, const GradientFinished& finished) = 0;
  virtual std::span<float> gradients() = 0;
};

/// The gradient of an update, computed in shards that run at the same time and are added in a fixed order, so
/// that the result is the same bit for bit for any number of threads. Each rank has as many shards; a rank
/// computes its own, and all get the sum.
class ShardedGradient {
 public:
  /// One learner for each shard of this rank.
  ShardedGradient(std::vector<std::unique_ptr<Learner>> learners, Ranks& ranks);

  /// Adds the gradients of `batches`, which have as many shards as all ranks together have learners, one
  /// after the other; returns the losses of all ranks. Shard s, counted over the ranks, draws its random
  /// numbers from `random.derive(s)`. What a rank throws is thrown as by `throw_together`.
  LossFigures compute(const UpdateBatches& batches, const Random& random, WorkerThreads& workers);
  /// The sum after `compute`.
  std::span<const float> sum() const { return sum_.sum(); }
  /// Back to 0.
  void clear(WorkerThreads& workers);

 private:
  LossFigures total(std::span<const LossFigures> of_shards, const std::exception_ptr& failure) const;

  std::vector<std::unique_ptr<Learner>> learners_;
  Ranks& ranks_;
  GradientSum sum_;
};

}  // namespace gloss

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/worker_threads.h"
#include "model/networks/batch.h"
#include "pipeline/batching.h"

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

/// Something that gives the gradient of a batch's summed loss: a network that shares its weights with others
/// and has gradients of its own.
class Learner {
 public:
  virtual ~Learner() = default;
  /// Called on one of the learners that share weights before they learn, since the weights may have changed.
  virtual void prepare(WorkerThreads&) {}
  /// Adds the gradient of the batch to `gradients`.
  virtual LossFigures learn(const Batch&, Random&) = 0;
  virtual std::span<float> gradients() = 0;
};

/// The gradient of an update, computed in shards that run at the same time and are added in a fixed order, so
/// that the result is the same bit for bit for any number of threads.
class ShardedGradient {
 public:
  /// One learner for each shard.
  explicit ShardedGradient(std::vector<std::unique_ptr<Learner>> learners);

  /// Adds the gradients of `batches`, which have as many shards as there are learners, one after the other.
  /// Shard s draws its random numbers from `random.derive(s)`.
  LossFigures compute(const UpdateBatches& batches, const Random& random, WorkerThreads& workers);
  /// The sum after `compute`.
  std::span<const float> sum() const { return learners_.front()->gradients(); }
  /// Back to 0.
  void clear(WorkerThreads& workers);

 private:
  std::vector<std::unique_ptr<Learner>> learners_;
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

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
#include "pipeline/examples/batching.h"
#include "pipeline/text_models/training_record.h"
#include "pipeline/training/gradient_sum.h"

namespace gloss {

/// Called with each part of a learner's gradients that is complete.
using GradientFinished = std::function<void(std::span<const float> part)>;

/// Computes the gradient of the summed loss of a batch: a network that shares its weights with other learners
/// and has its own gradients.
class Learner {
 public:
  virtual ~Learner() = default;
  /// Called before each update on one of the learners that share weights, as the weights may have changed.
  virtual void prepare(WorkerThreads&) {}
  /// Adds the gradient of the batch to `gradients`. Unless `finished` is empty, may call it with parts that
  /// are complete while it computes the others.
  virtual LossFigures learn(const Batch&, Random&, const GradientFinished& finished) = 0;
  virtual std::span<float> gradients() = 0;
};

/// The gradient of an update, computed in shards that run in parallel and are added in a fixed order, so that
/// the result is bit-identical for any number of threads. All ranks have the same number of shards; each rank
/// computes its own shards, and all ranks get the sum.
class ShardedGradient {
 public:
  /// One learner for each shard of this rank.
  ShardedGradient(std::vector<std::unique_ptr<Learner>> learners, Ranks& ranks);

  /// Adds the gradients of `batches`, which have one shard for each learner of all ranks; returns the losses
  /// of all ranks. Shard s, counted over the ranks, draws its random numbers from `random.derive(s)`. If a
  /// rank throws, all ranks throw as by `throw_together`.
  LossFigures compute(const UpdateBatches& batches, const Random& random, WorkerThreads& workers);
  /// The sum after `compute`.
  std::span<const float> sum() const { return sum_.sum(); }
  /// Sets all gradients to 0.
  void clear(WorkerThreads& workers);

 private:
  LossFigures total(std::span<const LossFigures> of_shards, const std::exception_ptr& failure) const;

  std::vector<std::unique_ptr<Learner>> learners_;
  Ranks& ranks_;
  GradientSum sum_;
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/sharded_gradient.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/index.h"
#include "model/tensor/operation_threads.h"
#include "pipeline/training/flat_arrays.h"

namespace gloss {
namespace {

std::vector<std::span<float>> gradients_of(std::span<const std::unique_ptr<Learner>> learners) {
  std::vector<std::span<float>> gradients;
  for (const auto& learner : learners) gradients.push_back(learner->gradients());
  return gradients;
}

}  // namespace

ShardedGradient::ShardedGradient(std::vector<std::unique_ptr<Learner>> learners, Ranks& ranks)
    : learners_(std::move(learners)), ranks_(ranks), sum_(gradients_of(learners_), ranks) {}

LossFigures ShardedGradient::compute(const UpdateBatches& batches, const Random& random,
                                     WorkerThreads& workers) {
  const int shards = static_cast<int>(learners_.size()), first = shards * ranks_.rank();
  expects(batches.shards() == shards * ranks_.size(), "batches in ", batches.shards(), " shards for ", shards,
          " learners on each of ", ranks_.size(), " ranks");
  std::vector<LossFigures> figures(learners_.size());
  std::exception_ptr failure;
  sum_.begin();
  try {
    learners_.front()->prepare(workers);
    const int sharers = std::min(workers.count(), shards);
    workers.run(sharers, [&](int worker) {
      set_threads_per_operation(workers.count() / sharers + (worker < workers.count() % sharers ? 1 : 0));
      for (int shard = worker; shard < shards; shard += sharers) {
        const auto s = index(shard);
        const GradientFinished finished = [this, s](std::span<const float> part) {
          sum_.finish_part(s, part);
        };
        Random shard_random = random.derive(static_cast<std::uint64_t>(first + shard));
        for (int number = 0; number < batches.size(); ++number) {
          const Batch batch = batches.gather(number, first + shard);
          const bool last = number + 1 == batches.size();
          if (batch.target.rows() > 0) {
            figures[s] += learners_[s]->learn(batch, shard_random, last ? finished : GradientFinished());
          }
        }
        sum_.finish_shard(s);
      }
    });
  } catch (...) {
    failure = std::current_exception();
    // The other ranks wait for this rank's part before they see the failure.
    for (std::size_t s = 0; s < learners_.size(); ++s) sum_.finish_shard(s);
  }
  sum_.finish();
  return total(figures, failure);
}

/// The losses of all shards and ranks; throws if one of them failed.
LossFigures ShardedGradient::total(std::span<const LossFigures> of_shards,
                                   const std::exception_ptr& failure) const {
  LossFigures own;
  for (const LossFigures& part : of_shards) own += part;
  std::array<double, 5> sums{own.loss, own.cross_entropy, static_cast<double>(own.tokens), own.weight,
                             failure ? 1.0 : 0.0};
  ranks_.sum(sums);
  if (sums[4] > 0) throw_together(ranks_, failure);
  return {sums[0], sums[1], static_cast<std::int64_t>(sums[2]), sums[3]};
}

void ShardedGradient::clear(WorkerThreads& workers) {
  for (const auto& learner : learners_) clear_array(learner->gradients(), workers);
}

}  // namespace gloss

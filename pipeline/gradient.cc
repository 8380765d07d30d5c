#include "pipeline/gradient.h"

#include <algorithm>

#include "base/error.h"
#include "model/tensor/threads.h"
#include "pipeline/flat_arrays.h"

namespace gloss {

ShardedGradient::ShardedGradient(std::vector<std::unique_ptr<Learner>> learners)
    : learners_(std::move(learners)) {
  expects(!learners_.empty(), "a gradient needs at least one learner");
}

LossFigures ShardedGradient::compute(const UpdateBatches& batches, const Random& random,
                                     WorkerThreads& workers) {
  const int shards = static_cast<int>(learners_.size());
  expects(batches.shards() == shards, "batches in ", batches.shards(), " shards for ", shards, " learners");
  learners_.front()->prepare(workers);
  std::vector<LossFigures> figures(learners_.size());
  const int sharers = std::min(workers.count(), shards);
  workers.run(sharers, [&](int worker) {
    set_threads_per_operation(workers.count() / sharers);
    for (int shard = worker; shard < shards; shard += sharers) {
      const auto s = static_cast<std::size_t>(shard);
      Random shard_random = random.derive(s);
      for (int number = 0; number < batches.size(); ++number) {
        const Batch batch = batches.gather(number, shard);
        if (batch.target.rows() > 0) figures[s] += learners_[s]->learn(batch, shard_random);
      }
    }
  });

  std::vector<std::span<float>> others;
  for (std::size_t s = 1; s < learners_.size(); ++s) others.push_back(learners_[s]->gradients());
  add_arrays(learners_.front()->gradients(), others, workers);
  LossFigures total;
  for (const LossFigures& part : figures) total += part;
  return total;
}

void ShardedGradient::clear(WorkerThreads& workers) {
  for (const auto& learner : learners_) clear_array(learner->gradients(), workers);
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/update_speed.h"

#include <chrono>

#include "pipeline/examples/random_purposes.h"
#include "pipeline/training/optimizer.h"

namespace gloss {
namespace {

/// The first updates allocate memory and prepare operations for later ones.
constexpr int kUnmeasured = 2;
constexpr int kMost = 40;

}  // namespace

double measure_update(double most_seconds, const LoopSettings& settings, BatchStream& batches,
                      std::span<float> weights, const std::vector<WeightRange>& ranges,
                      std::vector<std::unique_ptr<Learner>> learners, WorkerThreads& workers, Ranks& ranks) {
  using Clock = std::chrono::steady_clock;
  ShardedGradient gradient(std::move(learners), ranks);
  Optimizer optimizer(settings.optimizer, without_frozen(ranges, settings.optimizer.freeze));
  DataPosition position;
  Clock::time_point begin = Clock::now();
  double seconds = 0;
  int measured = 0;
  for (int update = 1; measured < kMost && (measured == 0 || seconds < most_seconds); ++update) {
    const UpdateBatches next = batches.next(position, update);
    if (next.size() == 0) continue;  // the end of an epoch
    const Random random =
        random_for(settings.training.seed, RandomPurpose::updates).derive(static_cast<std::uint64_t>(update));
    const LossFigures losses = gradient.compute(next, random, workers);
    const double scale = 1 / losses.weight;
    const double norm = optimizer.gradient_norm(gradient.sum(), scale, workers);
    optimizer.step(weights, gradient.sum(), {scale, norm, settings.schedule.learning_rate * 1e-3}, workers);
    gradient.clear(workers);
    if (update <= kUnmeasured) {
      begin = Clock::now();
      continue;
    }
    ++measured;
    seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (!ranks.first()) seconds = 0;
    ranks.sum({&seconds, 1});
  }
  return seconds / measured;
}

}  // namespace gloss

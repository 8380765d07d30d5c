// SPDX-License-Identifier: Apache-2.0

#pragma once

// Shared by the benchmarks of training.
#include <memory>
#include <utility>
#include <vector>

#include "base/ranks.h"
#include "model/layers/weight_ranges.h"
#include "pipeline/examples/batching.h"
#include "pipeline/training/network_learner.h"
#include "pipeline/training/optimizer.h"
#include "tests/speed/benchmark.h"

namespace gloss {

/// How a benchmark trains.
struct MeasuredTraining {
  bool bf16 = false;
  int threads = 1, shards = 2;
  int updates = 6;  ///< that are measured, after two others
  LossTerms terms{.label_smoothing = 0.1};
  bool profiled = false;
};

/// The seconds of updates on one batch, the same as in 'gloss train': gradients of all shards, their sum, and
/// Adam.
inline double seconds_of_updates(const NetworkSettings& settings, const Corpus& corpus,
                                 const std::vector<PairIndex>& pairs, const MeasuredTraining& training) {
  Parameters parameters;
  const std::unique_ptr<Network> network = make_network(settings, parameters);
  Random random(1);
  parameters.initialise(random);
  TrainingSettings precision;
  precision.precision = training.bf16 ? Precision::bf16 : Precision::f32;
  const auto working = working_weights(parameters, precision);
  std::vector<std::unique_ptr<Learner>> learners;
  for (int shard = 0; shard < training.shards; ++shard) {
    learners.push_back(std::make_unique<NetworkLearner>(settings, parameters, working,
                                                        LearningGoal{training.terms, nullptr}));
  }
  SingleRank alone;
  ShardedGradient gradient(std::move(learners), alone);
  Optimizer optimizer({}, weight_ranges(parameters));
  WorkerThreads workers(training.threads);
  UpdateBatches batches(training.shards);
  batches.add(corpus, pairs, nullptr);
  set_profiling(training.profiled);
  constexpr int kWarmUp = 2;
  Clock::time_point start;
  for (int update = 0; update < kWarmUp + training.updates; ++update) {
    if (update == kWarmUp) {
      start = Clock::now();
      clear_profile();
    }
    const LossFigures figures =
        gradient.compute(batches, random.derive(static_cast<std::uint64_t>(update)), workers);
    const double scale = 1 / figures.weight;
    const double norm = optimizer.gradient_norm(gradient.sum(), scale, workers);
    optimizer.step(parameters.values(), gradient.sum(), {scale, norm, 1e-4}, workers);
    gradient.clear(workers);
  }
  return seconds_since(start);
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <vector>

#include "base/ranks.h"
#include "base/worker_threads.h"
#include "model/layers/weight_ranges.h"
#include "pipeline/examples/batch_stream.h"
#include "pipeline/training/loop_settings.h"
#include "pipeline/training/sharded_gradient.h"

namespace gloss {

/// The mean seconds of an update, measured on the first batches of a training, for about `seconds`. Changes
/// `weights`, which must be those of the learners. All ranks get the time of rank 0.
double measure_update(double seconds, const LoopSettings&, BatchStream&, std::span<float> weights,
                      const std::vector<WeightRange>& ranges, std::vector<std::unique_ptr<Learner>> learners,
                      WorkerThreads&, Ranks&);

}  // namespace gloss

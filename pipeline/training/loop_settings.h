// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "base/fields.h"
#include "pipeline/examples/batching.h"
#include "pipeline/text_models/precision.h"
#include "pipeline/training/divergence.h"
#include "pipeline/training/moving_average.h"
#include "pipeline/training/optimizer.h"
#include "pipeline/training/schedule.h"

namespace gloss {

/// The validation figure that selects the best model.
enum class StopOn { cross_entropy, bleu, accuracy };
/// The type of `gloss quantize` whose rounding a training takes into account.
enum class Rounding { none, int8, int4 };
/// f32 for none.
DType stored_type(Rounding);

/// When a training ends, validates, saves and reports.
struct TrainingSettings {
  std::int64_t max_updates = 100'000;
  std::int64_t max_epochs = 0;
  std::int64_t max_tokens = 0;
  double max_minutes = 0;
  std::int64_t early_stopping = 0;
  StopOn stop_on = StopOn::cross_entropy;
  std::int64_t valid_interval = 0;
  int keep_checkpoints = 10;
  double save_minutes = 15;
  int report_interval = 100;
  double label_smoothing = 0.1;
  Precision precision = Precision::automatic;
  Rounding quantization_aware = Rounding::none;
  std::int64_t seed = 1;
};
Fields fields_of(TrainingSettings&);

/// All settings of the training loop.
struct LoopSettings {
  TrainingSettings training;
  BatchSettings batches;
  OptimizerSettings optimizer;
  ScheduleSettings schedule;
  MovingAverageSettings moving_average;
  DivergenceSettings divergence;
};
/// Throws UsageError if settings conflict or the training would never end. Where the message could blame
/// either of two settings, it blames one that was given.
void check(
    const LoopSettings&, const Given& given = [](const void*) { return true; });

}  // namespace gloss

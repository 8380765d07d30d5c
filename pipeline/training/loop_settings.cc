// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/loop_settings.h"

#include "base/error.h"
#include "model/layers/weight_ranges.h"

namespace gloss {

Fields fields_of(TrainingSettings& settings) {
  constexpr Range kCount{0, 1e15};
  Fields fields{
      {"max_updates", &settings.max_updates, "stop after N updates; 0: no limit", kCount},
      {"max_epochs", &settings.max_epochs, "stop after N passes over the corpus; 0: no limit", kCount},
      {"max_tokens", &settings.max_tokens, "stop after N target tokens; 0: no limit", kCount},
      {"max_minutes",
       &settings.max_minutes,
       "stop after X minutes, including those of earlier runs: the number of updates is planned for them, "
       "and "
       "the learning rate falls at their end, unless its --schedule needs no end; 0: no limit",
       {0, 1e9}},
      {"early_stopping", &settings.early_stopping, "stop after N validations without a new best; 0: never",
       kCount},
      {"stop_on", choice(settings.stop_on, {"cross_entropy", "bleu", "accuracy"}),
       "validation figure that selects the best model"},
      {"valid_interval", &settings.valid_interval,
       "validate and save a checkpoint every N updates; 0: after each epoch", kCount},
      {"keep_checkpoints",
       &settings.keep_checkpoints,
       "number of latest checkpoints to keep; the best one is always kept",
       {1, 1e6}},
      {"save_minutes",
       &settings.save_minutes,
       "save a temporary checkpoint every X minutes; the next checkpoint replaces it",
       {0, 1e6}},
      {"report_interval", &settings.report_interval, "write to train.log.jsonl every N updates", {1, 1e9}},
      {"label_smoothing",
       &settings.label_smoothing,
       "share of the target's probability spread over the vocabulary",
       {0, 0.999}},
      {"precision", training_precision_choice(settings.precision),
       "numeric precision of the computation; weights and sums are always f32; auto: bf16 if the processor "
       "multiplies it faster"},
      {"quantization_aware", choice(settings.quantization_aware, {"none", "int8", "int4"}),
       "compute with weights rounded as 'gloss quantize' stores them in int8 or int4, and with inputs of "
       "matrix products in 8 bits, so that the quantised model loses less quality"},
      {"seed", &settings.seed, "seed of all random numbers", {0, 9e15}}};
  add_traits(fields, kFreeOnResume, settings.max_updates, settings.max_epochs, settings.max_tokens,
             settings.max_minutes, settings.early_stopping, settings.valid_interval,
             settings.keep_checkpoints, settings.save_minutes, settings.report_interval);
  return fields;
}

DType stored_type(Rounding rounding) {
  return rounding == Rounding::none ? DType::f32 : rounding == Rounding::int8 ? DType::int8 : DType::int4;
}

void check(const LoopSettings& settings, const Given& given) {
  const TrainingSettings& training = settings.training;
  const bool counted_end = training.max_updates > 0 || training.max_epochs > 0 || training.max_tokens > 0;
  if (!counted_end && training.max_minutes == 0 && training.early_stopping == 0) {
    throw UsageError(
        "the training has no end: set --max-updates, --max-epochs, --max-tokens, --max-minutes or "
        "--early-stopping above 0");
  }
  check(settings.batches);
  check(settings.schedule, counted_end || training.max_minutes > 0, training.max_updates, given);
  read_learning_rate_factors(settings.optimizer.learning_rates);
}

}  // namespace gloss

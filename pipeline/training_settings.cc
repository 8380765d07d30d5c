#include "base/error.h"
#include "pipeline/training.h"

namespace gloss {

Fields fields_of(TrainingSettings& settings) {
  constexpr Range kCount{0, 1e15};
  return {
      {"max_updates", &settings.max_updates, "ends the training after so many updates; 0: no limit", kCount},
      {"max_epochs", &settings.max_epochs, "ends it after so many passes over the corpus; 0: no limit",
       kCount},
      {"max_tokens", &settings.max_tokens, "ends it after so many target tokens; 0: no limit", kCount},
      {"max_minutes",
       &settings.max_minutes,
       "ends it after so much time, that of earlier runs included; 0: no limit",
       {0, 1e9}},
      {"early_stopping", &settings.early_stopping,
       "ends it after so many validations without a new best; 0: never", kCount},
      {"stop_on", choice(settings.stop_on, {"cross_entropy", "bleu", "accuracy"}),
       "figure of the validation that decides which model is best"},
      {"valid_interval", &settings.valid_interval,
       "validates and writes a checkpoint every so many updates; 0: after each epoch", kCount},
      {"keep_checkpoints",
       &settings.keep_checkpoints,
       "latest checkpoints to keep; the best stays too",
       {1, 1e6}},
      {"save_minutes",
       &settings.save_minutes,
       "writes a checkpoint to continue from when so much time has passed, removed when there is a later one",
       {0, 1e6}},
      {"report_interval",
       &settings.report_interval,
       "writes to train.log.jsonl every so many updates",
       {1, 1e9}},
      {"label_smoothing",
       &settings.label_smoothing,
       "share of the target's probability spread over the vocabulary",
       {0, 0.999}},
      {"precision", training_precision_choice(settings.precision),
       "what is computed with; weights and sums are always f32; auto: bf16 where the processor has it"},
      {"seed", &settings.seed, "where all random numbers start", {0, 9e15}}};
}

void check(const LoopSettings& settings) {
  const TrainingSettings& training = settings.training;
  const bool counted_end = training.max_updates > 0 || training.max_epochs > 0 || training.max_tokens > 0;
  if (!counted_end && training.max_minutes == 0 && training.early_stopping == 0) {
    throw UsageError(
        "nothing ends the training: expected --max-updates, --max-epochs, --max-tokens, --max-minutes or "
        "--early-stopping above 0");
  }
  check(settings.schedule, counted_end, training.max_updates);
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/training_notes.h"

#include "base/error.h"

namespace gloss {
namespace {

/// The number of pieces of each side, or of vectors.
std::string sizes_text(const NetworkSettings& network, const Tokenizers& tokenizers, bool has_text) {
  if (!network.source.is_text()) {
    const SourceSettings& source = network.source;
    const std::string vectors =
        source.type == SourceType::image ? concat(row_length(network), " vectors per image")
        : source.type == SourceType::features
            ? concat(source.features.numbers, " numbers per vector")
            : concat(fixed_text(source.audio.shift * windows_of_vector(source), 0), " ms per vector");
    return has_text ? concat(vectors, ", ", tokenizers.target->size(), " target pieces") : vectors;
  }
  if (form_of(network) != Form::encoder_decoder) return concat(tokenizers.target->size(), " pieces");
  return concat(tokenizers.source->size(), " source and ", tokenizers.target->size(), " target pieces",
                tokenizers.share_pieces() ? " (shared)" : "");
}

}  // namespace

void TrainingNotes::threads(bool continues) const {
  const int shards = settings_.loop.batches.gradient_shards;
  if (run_.threads <= shards || continues) return;
  listener_.note(concat(run_.threads, " threads for --gradient-shards ", shards,
                        ": the others only help within operations. --gradient-shards ", run_.threads,
                        " uses them better, but gives another result, as the model depends on it"));
}

void TrainingNotes::start(const Model& model, const Tokenizers& tokenizers, bool has_text, int ranks) const {
  if (ranks > 1) listener_.note(concat("training on ", ranks, " ranks"));
  const TrainingSettings& training = settings_.loop.training;
  const DType rounded = stored_type(training.quantization_aware);
  listener_.note(concat(model.parameters->count(), " parameters, ",
                        sizes_text(model.settings, tokenizers, has_text), "; computes in ",
                        training.precision == Precision::bf16 ? "bf16" : "f32",
                        rounded == DType::f32 ? "" : concat(" with weights rounded to ", name_of(rounded))));
  const std::int64_t warmup = settings_.loop.schedule.warmup_updates, last = training.max_updates;
  if (last > 0 && last < warmup) {
    listener_.note(concat("the learning rate still rises when the training ends: --max-updates ", last,
                          " is less than --warmup-updates ", warmup));
  }
  const std::int64_t ramp = settings_.loop.batches.accumulation_ramp;
  if (last > 0 && last < ramp) {
    listener_.note(concat("no update has all batches of --accumulation: --max-updates ", last,
                          " is less than --accumulation-ramp ", ramp));
  }
}

void TrainingNotes::continuation(const TrainingState& state) const {
  listener_.note(concat("continues the training in ", run_.output, " after update ", state.update,
                        ", in epoch ", state.position.epoch + 1));
}

void TrainingNotes::waiting(const BatchStream& batches) const {
  constexpr double kMatters = 1;  // less is that of any start
  if (batches.waiting_seconds() < kMatters) return;
  listener_.note(concat("waited ", fixed_text(batches.waiting_seconds(), 1), " seconds for batches, ",
                        fixed_text(batches.first_waiting_seconds(), 1), " of them for the first one"));
}

std::string TrainingNotes::reason_of(TrainingEnd end, const TrainingState& state) const {
  const bool planned = settings_.planning && !settings_.planning->given.contains("max_updates");
  if (end == TrainingEnd::early_stopping)
    return concat("no new best in ", state.without_improvement, " validations (--early-stopping)");
  if (end == TrainingEnd::max_minutes && state.planned_updates > 0)
    return concat("all that were planned for --max-minutes ", settings_.loop.training.max_minutes);
  if (end == TrainingEnd::max_updates && planned) return "all that were planned";
  return concat(end == TrainingEnd::max_updates  ? "--max-updates"
                : end == TrainingEnd::max_epochs ? "--max-epochs"
                : end == TrainingEnd::max_tokens ? "--max-tokens"
                                                 : "--max-minutes",
                " is reached");
}

void TrainingNotes::end(TrainingEnd end, const TrainingState& state, bool validated,
                        const std::string& use) const {
  if (end == TrainingEnd::stopped) {
    listener_.note(
        concat("stopped by a signal after update ", state.update, " and saved in ", run_.output,
               run_.fresh ? "; the same command without --fresh continues" : "; the same command continues"));
    return;
  }
  const std::string model =
      validated ? concat("best model is ", run_.output, "/best, from update ", state.best_update,
                         state.best_update == 0 ? ": the start, which no update improved" : "")
                : concat("model is ", run_.output, "/best");
  listener_.note(
      concat("finished after update ", state.update, ": ", reason_of(end, state), "; the ", model));
  listener_.note("to " + use);
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/fixed_mixer.h"

#include "base/error.h"
#include "model/networks/mixers/attention_mixer.h"
#include "model/networks/mixers/mixer.h"
#include "model/tensor/fixed_pattern.h"

namespace gloss {
namespace {

std::shared_ptr<const Mixer> make_fixed(Parameters& parameters, const std::string& name,
                                        const MixerLayer& place) {
  const int block = place.settings.attention_block, summary = place.settings.fixed.summary_tokens;
  AttentionSizes sizes = attention_sizes(place.sizes, place.settings);
  sizes.seen = {.block = block, .last = summary};
  sizes.pattern = std::make_shared<const FixedPattern>(block, summary, place.causal);
  return make_self_attention(parameters, name, place, sizes);
}

void check_fixed(const MixerLayer& place) {
  const int block = place.settings.attention_block, summary = place.settings.fixed.summary_tokens,
            positions = place.sizes.max_positions;
  if (block >= positions) {
    throw UsageError(concat("attention_block ", block, " covers every text of at most max_positions ",
                            positions, "; choose smaller blocks, or the mixer attention"));
  }
  if (summary >= block) {
    throw UsageError(concat("summary_tokens ", summary, " are all tokens of an attention_block of ", block,
                            "; choose fewer, or the mixer attention"));
  }
  if (place.causal && by_distance(place.settings.positions)) {
    throw UsageError(
        "decoder_mixers fixed has no positions by distance (relative, sinusoidal-relative, alibi, buckets); "
        "choose rotary, learned or sinusoidal ones");
  }
}

}  // namespace

Fields fields_of(FixedSettings& s) {
  return {{"summary_tokens",
           &s.summary_tokens,
           "number of last tokens of each block that other blocks see in fixed attention",
           {1, kMostPositions}}};
}

MixerKind fixed_mixer() {
  return {.name = "fixed",
          .part = "fixed_attention",
          .make = make_fixed,
          .check = check_fixed,
          .in_encoders = true,
          .history = history_of_attention,
          .attends = true,
          .weighs = true,
          .drops_weights = true,
          .deep_norm = true,
          .has_heads = true,
          .settings = {"attention_block", "summary_tokens"}};
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/strided_mixer.h"

#include "base/error.h"
#include "model/networks/mixers/attention_mixer.h"
#include "model/networks/mixers/mixer.h"

namespace gloss {
namespace {

std::shared_ptr<const Mixer> make_strided(Parameters& parameters, const std::string& name,
                                          const MixerLayer& place) {
  AttentionSizes sizes = attention_sizes(place.sizes, place.settings);
  sizes.seen.stride = place.settings.strided.stride;
  return make_self_attention(parameters, name, place, sizes);
}

void check_strided(const MixerLayer& place) {
  const int stride = place.settings.strided.stride, positions = place.sizes.max_positions;
  if (stride < positions) return;
  throw UsageError(concat("attention_stride ", stride, " reaches beyond every text of at most max_positions ",
                          positions, "; choose a smaller stride"));
}

}  // namespace

Fields fields_of(StridedSettings& s) {
  return {{"attention_stride",
           &s.stride,
           "strided attention sees tokens at distances that are multiples of this number",
           {2, kMostPositions}}};
}

MixerKind strided_mixer() {
  return {.name = "strided",
          .part = "strided_attention",
          .make = make_strided,
          .check = check_strided,
          .in_encoders = true,
          .history = history_of_attention,
          .attends = true,
          .weighs = true,
          .drops_weights = true,
          .deep_norm = true,
          .has_heads = true,
          .settings = {"attention_stride"}};
}

}  // namespace gloss

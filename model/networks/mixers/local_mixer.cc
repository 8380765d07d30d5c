// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/local_mixer.h"

#include "base/error.h"
#include "model/networks/mixers/attention_mixer.h"
#include "model/networks/mixers/mixer.h"

namespace gloss {
namespace {

std::shared_ptr<const Mixer> make_local(Parameters& parameters, const std::string& name,
                                        const MixerLayer& place) {
  AttentionSizes sizes = attention_sizes(place.sizes, place.settings);
  sizes.window = place.settings.local.window;
  return make_self_attention(parameters, name, place, sizes);
}

MixerHistory history_of_local(const MixerLayer& place) {
  MixerHistory history = history_of_attention(place);
  history.reach = place.settings.local.window + 1;
  return history;
}

void check_local(const MixerLayer& place) {
  const int window = place.settings.local.window, positions = place.sizes.max_positions;
  if (window < positions - 1) return;
  throw UsageError(concat("attention_window ", window, " covers every text of at most max_positions ",
                          positions, "; choose a smaller window, or the mixer attention"));
}

}  // namespace

Fields fields_of(LocalSettings& s) {
  return {{"attention_window",
           &s.window,
           "number of tokens on either side that local attention sees",
           {1, kMostPositions}}};
}

MixerKind local_mixer() {
  return {.name = "local",
          .part = "local_attention",
          .make = make_local,
          .check = check_local,
          .in_encoders = true,
          .history = history_of_local,
          .attends = true,
          .weighs = true,
          .drops_weights = true,
          .deep_norm = true,
          .has_heads = true,
          .settings = {"attention_window"}};
}

}  // namespace gloss

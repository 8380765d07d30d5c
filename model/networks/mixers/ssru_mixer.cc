// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/ssru_mixer.h"

#include "model/layers/running_state.h"

namespace gloss {
namespace {

class SsruMixer : public Mixer {
 public:
  SsruMixer(Parameters& parameters, const std::string& name, const MixerLayer& place)
      : unit_(parameters, name, place.sizes.width) {}

  Tensor operator()(const Tensor& x, const Residual& around, const SelfAttentionView& view,
                    const TransformerDropout& dropout) const override {
    return unit_(around.before(x, dropout), view);
  }

 private:
  Ssru unit_;
};

std::shared_ptr<const Mixer> make_ssru(Parameters& parameters, const std::string& name,
                                       const MixerLayer& place) {
  return std::make_shared<SsruMixer>(parameters, name, place);
}

MixerHistory history_of_ssru(const MixerLayer& place) { return {.columns = place.sizes.width}; }

}  // namespace

MixerKind ssru_mixer() {
  return {.name = "ssru", .part = "ssru", .make = make_ssru, .history = history_of_ssru};
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/attention_mixer.h"

namespace gloss {
namespace {

class AttentionMixer : public Mixer {
 public:
  AttentionMixer(Parameters& parameters, const std::string& name, const MixerLayer& place,
                 const AttentionSizes& sizes)
      : causal_(place.causal),
        raw_past_(place.causal && place.settings.raw_past),
        attention_(parameters, name, sizes, place.scales.initial) {}

  Tensor operator()(const Tensor& x, const Residual& around, const SelfAttentionView& view,
                    const TransformerDropout& dropout) const override {
    const Tensor y = around.before(x, dropout);
    SelfAttentionView own = view;
    if (raw_past_ && view.spans == nullptr) own.raw = &x;
    return attention_(y, own, causal_, dropout.attention());
  }

 private:
  bool causal_, raw_past_;
  SelfAttention attention_;
};

std::shared_ptr<const Mixer> make_attention(Parameters& parameters, const std::string& name,
                                            const MixerLayer& place) {
  return make_self_attention(parameters, name, place, attention_sizes(place.sizes, place.settings));
}

}  // namespace

std::shared_ptr<const Mixer> make_self_attention(Parameters& parameters, const std::string& name,
                                                 const MixerLayer& place, const AttentionSizes& sizes) {
  return std::make_shared<AttentionMixer>(parameters, name, place, sizes);
}

MixerHistory history_of_attention(const MixerLayer& place) {
  return {.columns = 2 * attention_sizes(place.sizes, place.settings).heads.key_value_width()};
}

MixerKind attention_mixer() {
  return {.name = "attention",
          .part = "self_attention",
          .make = make_attention,
          .in_encoders = true,
          .history = history_of_attention,
          .attends = true,
          .weighs = true,
          .drops_weights = true,
          .deep_norm = true,
          .has_heads = true};
}

}  // namespace gloss

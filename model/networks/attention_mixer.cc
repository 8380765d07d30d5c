// SPDX-License-Identifier: Apache-2.0

#include "model/networks/attention_mixer.h"

namespace gloss {
namespace {

AttentionSizes sizes_of(const MixerPlace& place, const AttentionPattern& pattern) {
  AttentionSizes sizes = attention_sizes(place.sizes, place.settings);
  sizes.window = pattern.window;
  sizes.stride = pattern.stride;
  return sizes;
}

class AttentionMixer : public Mixer {
 public:
  AttentionMixer(Parameters& parameters, const std::string& name, const MixerPlace& place,
                 const AttentionPattern& pattern)
      : causal_(place.causal),
        raw_past_(place.causal && place.settings.raw_past),
        attention_(parameters, name, sizes_of(place, pattern), place.scales.initial) {}

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
                                            const MixerPlace& place) {
  return make_sparse_attention(parameters, name, place, {});
}

}  // namespace

std::shared_ptr<const Mixer> make_sparse_attention(Parameters& parameters, const std::string& name,
                                                   const MixerPlace& place, const AttentionPattern& pattern) {
  return std::make_shared<AttentionMixer>(parameters, name, place, pattern);
}

MixerMemory memory_of_attention(const MixerPlace& place) {
  return {.columns = 2 * attention_sizes(place.sizes, place.settings).heads.key_value_width()};
}

MixerKind attention_mixer() {
  return {.name = "attention",
          .part = "self_attention",
          .make = make_attention,
          .in_encoders = true,
          .memory = memory_of_attention,
          .attends = true,
          .drops_weights = true,
          .has_heads = true};
}

}  // namespace gloss

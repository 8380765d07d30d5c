// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer/mixer_block.h"

#include "model/networks/mixers/mixers.h"
#include "model/networks/network.h"

namespace gloss {

MixerBlock::Mixed::Mixed(Parameters& parameters, const std::string& name, const MixerLayer& place,
                         const MixerKind& kind)
    : around(parameters, name + "." + kind.part, place.sizes, place.settings, place.scales.input),
      mixer(kind.make(parameters, name + "." + kind.part, place)) {}

MixerBlock::Cross::Cross(Parameters& parameters, const std::string& name, const MixerLayer& place)
    : around(parameters, name, place.sizes, place.settings, place.scales.input),
      attention(parameters, name, attention_sizes(place.sizes, place.settings), place.scales.initial) {}

MixerBlock::MixerBlock(Parameters& parameters, const std::string& name, const MixerLayer& place)
    : self_(parameters, name, place, mixer_of(place.settings, place.layer, place.causal)),
      cross_(place.reads_source ? std::make_optional<Cross>(parameters, name + ".cross_attention", place)
                                : std::nullopt),
      around_feed_forward_(parameters, name + ".feed_forward", place.sizes, place.settings,
                           place.scales.input),
      feed_forward_(parameters, name + ".feed_forward", place.sizes, place.settings, place.scales.initial) {}

Tensor MixerBlock::operator()(const Tensor& x, const SelfAttentionView& view, const SourceView& source,
                              const TransformerDropout& dropout) const {
  const DropoutMask mask = dropout.residual();  // sampled before the masks of the mixer
  Tensor y = self_.around.after(x, (*self_.mixer)(x, self_.around, view, dropout), mask);
  if (cross_) {
    const CrossAttention& cross = cross_->attention;
    y = cross_->around(
        y,
        [&](const Tensor& z) {
          if (source.attention != nullptr)
            source.attention->add_layer(cross.weights(z, *source.keys_values.rows));
          return cross.attend(z, source.keys_values, dropout.attention(), source.guided);
        },
        dropout);
  }
  return around_feed_forward_(
      y, [&](const Tensor& z) { return feed_forward_(z, dropout); }, dropout);
}

Tensor MixerBlock::project_source(const Tensor& states) const {
  return cross_ ? cross_->attention.project(states) : Tensor();
}

std::shared_ptr<const Block> make_block(Parameters& parameters, const std::string& name,
                                        const MixerLayer& place) {
  const MixerKind& kind = mixer_of(place.settings, place.layer, place.causal);
  if (kind.make_block != nullptr) return kind.make_block(parameters, name, place);
  return std::make_shared<MixerBlock>(parameters, name, place);
}

}  // namespace gloss

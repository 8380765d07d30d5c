// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer/mixer_block.h"

#include "model/networks/mixers/mixers.h"

namespace gloss {

MixerBlock::MixerBlock(Parameters& parameters, const std::string& name, const MixerPlace& place)
    : self_(parameters, name, place),
      around_feed_forward_(parameters, name + ".feed_forward", place.sizes, place.settings,
                           place.scales.input),
      feed_forward_(parameters, name + ".feed_forward", place.sizes, place.settings, place.scales.initial) {}

Tensor MixerBlock::operator()(const Tensor& x, const SelfAttentionView& view,
                              const TransformerDropout& dropout) const {
  const Tensor y = self_(x, view, dropout);
  return around_feed_forward_(
      y, [&](const Tensor& z) { return feed_forward_(z, dropout); }, dropout);
}

std::shared_ptr<const Block> make_block(Parameters& parameters, const std::string& name,
                                        const MixerPlace& place) {
  const MixerKind& kind = mixer_of(place.settings, place.layer, place.causal);
  if (kind.make_block != nullptr) return kind.make_block(parameters, name, place);
  return std::make_shared<MixerBlock>(parameters, name, place);
}

}  // namespace gloss

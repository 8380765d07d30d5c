// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer/self_branch.h"

#include "model/networks/mixers/mixers.h"

namespace gloss {

SelfBranch::SelfBranch(Parameters& parameters, const std::string& block, const MixerPlace& place)
    : SelfBranch(parameters, place, mixer_of(place.settings, place.layer, place.causal), block) {}

SelfBranch::SelfBranch(Parameters& parameters, const MixerPlace& place, const MixerKind& kind,
                       const std::string& block)
    : around_(parameters, block + "." + kind.part, place.sizes, place.settings, place.scales.input),
      mixer_(kind.make(parameters, block + "." + kind.part, place)) {}

Tensor SelfBranch::operator()(const Tensor& x, const SelfAttentionView& view,
                              const TransformerDropout& dropout) const {
  const DropoutMask mask = dropout.residual();  // sampled before the masks of the branch
  return around_.after(x, (*mixer_)(x, around_, view, dropout), mask);
}

}  // namespace gloss

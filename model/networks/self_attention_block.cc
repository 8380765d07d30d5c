// SPDX-License-Identifier: Apache-2.0

#include "model/networks/self_attention_block.h"

namespace gloss {

SelfAttentionBlock::SelfAttentionBlock(Parameters& parameters, const std::string& name,
                                       const NetworkSizes& sizes, const TransformerSettings& settings,
                                       bool causal, const LayerScales& scales)
    : self(parameters, name, sizes, settings, causal, scales),
      around_feed_forward(parameters, name + ".feed_forward", sizes, settings, scales.input),
      feed_forward(parameters, name + ".feed_forward", sizes, settings, scales.initial) {}

Tensor SelfAttentionBlock::operator()(const Tensor& x, const SelfAttentionView& view,
                                      const TransformerDropout& dropout) const {
  const Tensor y = self(x, view, dropout);
  return around_feed_forward(
      y, [&](const Tensor& z) { return feed_forward(z, dropout); }, dropout);
}

}  // namespace gloss

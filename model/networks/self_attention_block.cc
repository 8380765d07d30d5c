// SPDX-License-Identifier: Apache-2.0

#include "model/networks/self_attention_block.h"

namespace gloss {

SelfAttentionBlock::SelfAttentionBlock(Parameters& parameters, const std::string& name,
                                       const NetworkSizes& sizes, const TransformerSettings& settings,
                                       double output_scale)
    : around_attention(parameters, name + ".self_attention", sizes, settings),
      self_attention(parameters, name + ".self_attention", attention_sizes(sizes, settings), output_scale),
      around_feed_forward(parameters, name + ".feed_forward", sizes, settings),
      feed_forward(parameters, name + ".feed_forward", sizes, settings, output_scale) {}

Tensor SelfAttentionBlock::operator()(const Tensor& x, const SelfAttentionView& view, bool causal,
                                      const TransformerDropout& dropout) const {
  const Tensor y = around_attention(
      x, [&](const Tensor& z) { return self_attention(z, view, causal, dropout.attention()); }, dropout);
  return around_feed_forward(
      y, [&](const Tensor& z) { return feed_forward(z, dropout); }, dropout);
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "model/networks/decoder_block.h"

namespace gloss {

DecoderBlock::DecoderBlock(Parameters& parameters, const std::string& name, const NetworkSizes& sizes,
                           const TransformerSettings& settings)
    : self(parameters, name, sizes, settings, /*causal=*/true),
      around_cross_attention(parameters, name + ".cross_attention", sizes, settings),
      cross_attention(parameters, name + ".cross_attention", attention_sizes(sizes, settings)),
      around_feed_forward(parameters, name + ".feed_forward", sizes, settings),
      feed_forward(parameters, name + ".feed_forward", sizes, settings) {}

}  // namespace gloss

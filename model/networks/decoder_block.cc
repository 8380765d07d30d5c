// SPDX-License-Identifier: Apache-2.0

#include "model/networks/decoder_block.h"

namespace gloss {

DecoderBlock::DecoderBlock(Parameters& parameters, const std::string& name, const NetworkSizes& sizes,
                           const TransformerSettings& settings, const LayerScales& scales)
    : self(parameters, name, sizes, settings, /*causal=*/true, scales),
      around_cross_attention(parameters, name + ".cross_attention", sizes, settings, scales.input),
      cross_attention(parameters, name + ".cross_attention", attention_sizes(sizes, settings),
                      scales.initial),
      around_feed_forward(parameters, name + ".feed_forward", sizes, settings, scales.input),
      feed_forward(parameters, name + ".feed_forward", sizes, settings, scales.initial) {}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "model/networks/decoder_block.h"

namespace gloss {

DecoderBlock::DecoderBlock(Parameters& parameters, const std::string& name, const MixerPlace& place)
    : self(parameters, name, place),
      around_cross_attention(parameters, name + ".cross_attention", place.sizes, place.settings,
                             place.scales.input),
      cross_attention(parameters, name + ".cross_attention", attention_sizes(place.sizes, place.settings),
                      place.scales.initial),
      around_feed_forward(parameters, name + ".feed_forward", place.sizes, place.settings,
                          place.scales.input),
      feed_forward(parameters, name + ".feed_forward", place.sizes, place.settings, place.scales.initial) {}

}  // namespace gloss

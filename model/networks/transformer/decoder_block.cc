// SPDX-License-Identifier: Apache-2.0

#include "model/networks/transformer/decoder_block.h"

namespace gloss {

DecoderBlock::Cross::Cross(Parameters& parameters, const std::string& name, const MixerPlace& place)
    : around(parameters, name, place.sizes, place.settings, place.scales.input),
      attention(parameters, name, attention_sizes(place.sizes, place.settings), place.scales.initial) {}

DecoderBlock::DecoderBlock(Parameters& parameters, const std::string& name, const MixerPlace& place)
    : self(parameters, name, place),
      cross(place.settings.source_link == SourceLink::attention
                ? std::make_optional<Cross>(parameters, name + ".cross_attention", place)
                : std::nullopt),
      around_feed_forward(parameters, name + ".feed_forward", place.sizes, place.settings,
                          place.scales.input),
      feed_forward(parameters, name + ".feed_forward", place.sizes, place.settings, place.scales.initial) {}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/networks/mixers/mixer.h"

namespace gloss {

/// The table of all kinds of mixers.
std::span<const MixerKind> mixer_kinds();
/// The names of the mixers that encoders, or decoders (`causal`), may have, separated by commas.
std::string mixer_names(bool causal);
/// The mixer of a layer of an encoder, or of a decoder (`causal`), in checked settings.
const MixerKind& mixer_of(const TransformerSettings&, int layer, bool causal);
/// What each layer of the decoder keeps of earlier rows, in checked settings.
std::vector<MixerHistory> decoder_histories(const NetworkSizes&, const TransformerSettings&);
/// True if some layer of the encoder, or of the decoder (`causal`), has queries and keys of its own.
bool some_layer_attends(const NetworkSizes&, const TransformerSettings&, bool causal);
/// True if some layer uses the dropout of attention weights in its mixer.
bool mixers_drop_weights(const NetworkSizes&, const TransformerSettings&);
/// True if the mixer of some layer depends on the number of heads.
bool mixers_have_heads(const NetworkSizes&, const TransformerSettings&);

/// True if some layer has feed-forward layers.
bool mixers_feed_forward(const NetworkSizes&, const TransformerSettings&);

/// Throws UsageError if a list of mixers is not one name, or one for each layer, if layers that share their
/// weights differ, or if other settings do not suit a mixer.
void check_mixers(const NetworkSizes&, const TransformerSettings&);
/// Reason why the setting of this name has no effect on the mixers; empty if it has one.
std::string reason_mixers_ignore(const NetworkSizes&, const TransformerSettings&, const std::string& setting);

}  // namespace gloss

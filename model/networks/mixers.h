// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>

#include "model/networks/mixer.h"

namespace gloss {

/// The table of all kinds of mixers.
std::span<const MixerKind> mixer_kinds();
/// The names of the mixers that encoders may have, separated by commas.
std::string encoder_mixer_names();
/// The mixer of a layer of an encoder, or of a decoder (`causal`), in checked settings.
const MixerKind& mixer_of(const TransformerSettings&, int layer, bool causal);
/// The largest distance to a row that the attention of an encoder's layer sees; 0: it sees all.
int window_of(const TransformerSettings&, int layer);
/// True if some layer of the encoder has queries and keys of its own.
bool encoder_attends(const NetworkSizes&, const TransformerSettings&);
/// True if some layer of the encoder uses the dropout of attention weights.
bool encoder_drops_weights(const NetworkSizes&, const TransformerSettings&);
/// True if some layer of the encoder depends on the number of heads.
bool encoder_has_heads(const NetworkSizes&, const TransformerSettings&);

/// Throws UsageError if the list of an encoder's mixers is not one name, or one for each layer, if layers
/// that share their weights differ, or if other settings do not suit a mixer.
void check_mixers(const NetworkSizes&, const TransformerSettings&);
/// Reason why the setting of this name has no effect on the mixers of the encoder; empty if it has one.
std::string reason_mixers_ignore(const NetworkSizes&, const TransformerSettings&, const std::string& setting);

}  // namespace gloss

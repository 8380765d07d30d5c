// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/network_settings.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_variables.h"
#include "pipeline/foreign/shared/parameter_map.h"

namespace gloss {

/// Reads how the network knows positions: sizes.max_positions and own.positions. The other sizes must be
/// known. Throws InputError for what gloss cannot represent.
void read_ctranslate2_positions(CTranslate2Variables&, NetworkSettings&);

/// Adds the sources of learned positions. Those that are not in the file are sinusoids, the first of which
/// has number 1.
void add_ctranslate2_positions(const CTranslate2Variables&, const NetworkSettings&, ParameterMap&);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/network_settings.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_variables.h"

namespace gloss {

/// Reads the heads of all attention layers: their number on both sides, their width, those of keys and
/// values, and the scale of scores. Layers and width must be known. Throws InputError for what gloss cannot
/// represent, such as layers that differ.
void read_ctranslate2_attention(CTranslate2Variables&, NetworkSettings&);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/network_settings.h"
#include "pipeline/foreign/ctranslate2/ctranslate2_variables.h"

namespace gloss {

/// The settings of the network that has these variables, without begin and end token. Throws InputError for
/// what gloss cannot represent.
NetworkSettings read_ctranslate2_settings(CTranslate2Variables&);

}  // namespace gloss

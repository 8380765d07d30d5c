// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/network_settings.h"
#include "pipeline/foreign/parameter_map.h"
#include "pipeline/marian/marian_files.h"

namespace gloss {

/// The weights of one of Marian's recurrent networks with these settings. Throws InputError for arrays that
/// are missing or have another shape.
ParameterMap marian_recurrent_weights(const MarianFiles&, const NetworkSettings&);

}  // namespace gloss

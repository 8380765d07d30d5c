// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/network_settings.h"
#include "pipeline/foreign/shared/parameter_map.h"

namespace gloss {

/// The parameters of such a network in the names of T5 in transformers. If all embeddings are tied, T5
/// divides the last hidden states by the square root of the width: here the final norm of the decoder does.
ParameterMap t5_parameters(const NetworkSettings&);

/// The positions that config.json of T5 has, which limit nothing. gloss has kUnlimitedPositions instead.
inline constexpr int kForeignT5Positions = 512;

}  // namespace gloss

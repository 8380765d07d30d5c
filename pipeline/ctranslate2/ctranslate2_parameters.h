// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/networks/network_settings.h"
#include "pipeline/foreign/parameter_map.h"

namespace gloss {

/// The parts of a network, by the names of CTranslate2: "encoder" and "decoder", or the decoder alone.
std::vector<std::string> ctranslate2_sides(const NetworkSettings&);

/// The parameters of a transformer by the names of CTranslate2, without positions.
ParameterMap ctranslate2_parameters(const NetworkSettings&);

/// Further names of variables: those of tied embeddings, by the names that have the numbers.
std::map<std::string, std::string> ctranslate2_aliases(const NetworkSettings&);

/// The name of the position embeddings of a side, which may be missing.
std::string ctranslate2_positions(const std::string& side);

}  // namespace gloss

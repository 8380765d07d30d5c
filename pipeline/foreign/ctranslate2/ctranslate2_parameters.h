// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/networks/network_settings.h"
#include "pipeline/foreign/shared/parameter_map.h"

namespace gloss {

/// The parts of a network, by the names of CTranslate2: "encoder" and "decoder", or the decoder alone.
std::vector<std::string> ctranslate2_sides(const NetworkSettings&);

/// An attention layer by the names of CTranslate2.
struct CTranslate2Attention {
  std::string side, name;
  std::string output;  ///< its last linear layer
  bool of_memory = false;
};
/// All attention layers of a transformer.
std::vector<CTranslate2Attention> ctranslate2_attention(const NetworkSettings&);

/// The parameters of a transformer by the names of CTranslate2, without the embeddings of positions.
ParameterMap ctranslate2_parameters(const NetworkSettings&);

/// Further names of variables, by the names that have the numbers: those of tied embeddings, and of biases
/// of distances, which all layers of a side share.
std::map<std::string, std::string> ctranslate2_aliases(const NetworkSettings&);

/// The name of the position embeddings of a side, which may be missing.
std::string ctranslate2_positions(const std::string& side);
/// The name of the biases of a layer's distances in buckets.
std::string ctranslate2_distances(const std::string& side, int layer);
/// The number of layers of a side.
int ctranslate2_layers(const NetworkSettings&, const std::string& side);

}  // namespace gloss

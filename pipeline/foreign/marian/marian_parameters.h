// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "model/networks/network_settings.h"
#include "pipeline/foreign/shared/parameter_map.h"

namespace gloss {

/// The output matrix in old models of Marian, [width, vocabulary]; newer ones have a t after the name and
/// [vocabulary, width].
inline constexpr const char* kOlderOutput = "decoder_ff_logit_out_W";
/// The learned positions of both sides.
inline constexpr const char* kPositionTable = "Wpos";

/// How a file of Marian names weights, where the settings of the network leave that open. The default is what
/// gloss writes.
struct MarianSpelling {
  std::vector<int> decoder_layers{};  ///< Marian's number of each layer; empty: as in decoder_layer_weights
  bool older_output = false;          ///< see kOlderOutput
};
/// The weights of a transformer of Marian, with or without an encoder.
ParameterMap marian_parameters(const NetworkSettings&, const MarianSpelling& = {});

}  // namespace gloss

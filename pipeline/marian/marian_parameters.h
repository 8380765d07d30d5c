// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "model/networks/network_settings.h"
#include "pipeline/foreign/parameter_map.h"

namespace gloss {

/// The output matrix in old models of Marian, [width, vocabulary]; newer ones have a t after the name and
/// [vocabulary, width].
inline constexpr const char* kOlderOutput = "decoder_ff_logit_out_W";
/// The learned positions of both sides.
inline constexpr const char* kPositionTable = "Wpos";

/// What the settings of a network do not say about the names of its weights in Marian.
struct MarianNames {
  std::vector<int> decoder_layers{};  ///< Marian's number of each layer; empty: 1, 2, ...
  bool older_output = false;          ///< see kOlderOutput
};
/// The weights of a transformer of Marian, with or without an encoder.
ParameterMap marian_parameters(const NetworkSettings&, const MarianNames&);

}  // namespace gloss

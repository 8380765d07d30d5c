// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/network_settings.h"
#include "pipeline/foreign/marian/marian_recurrent_names.h"
#include "pipeline/foreign/shared/parameter_map.h"

namespace gloss {

/// The name of the output matrix in old models of the type s2s, [width, vocabulary]; newer ones have a t
/// after the name and [vocabulary, width].
inline constexpr const char* kOlderRecurrentOutput = "decoder_ff_logit_l2_W";

/// How a file of Marian names the weights of a recurrent network.
struct MarianRecurrentSpelling {
  bool nematus = false;       ///< see MarianRecurrentNames
  bool older_output = false;  ///< see kOlderRecurrentOutput
};
/// The weights of one of Marian's recurrent networks with these settings.
ParameterMap marian_recurrent_parameters(const NetworkSettings&, const MarianRecurrentSpelling&);

}  // namespace gloss

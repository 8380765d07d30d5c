// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/layers/initialisers.h"
#include "model/networks/mixers/transformer_settings.h"

namespace gloss {

/// Factors of all layers of a stack.
struct LayerScales {
  double input = 1;       ///< of the input of each branch, where the result of the branch is added to it
  InitialScales initial;  ///< of the layers of each branch
};

/// A stack of layers: those of an encoder-decoder, or the only one of a network.
enum class LayerStack { encoder, decoder, only };

/// The factors of a stack. With deep_norm, those that bound how much an update changes the result, however
/// deep the network is (Wang et al. 2022, table 2).
LayerScales layer_scales(const NetworkSizes&, const TransformerSettings&, LayerStack);

}  // namespace gloss

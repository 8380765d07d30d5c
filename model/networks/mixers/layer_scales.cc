// SPDX-License-Identifier: Apache-2.0

#include "model/networks/mixers/layer_scales.h"

#include <cmath>

namespace gloss {

LayerScales layer_scales(const NetworkSizes& sizes, const TransformerSettings& settings, LayerStack stack) {
  const double encoder = sizes.encoder_layers, decoder = sizes.decoder_layers;
  const double layers = encoder + decoder;  // of the only stack: the other one has none
  const auto deep = [](double input, double initial) { return LayerScales{input, {initial, initial}}; };
  switch (stack) {
    case LayerStack::encoder: {
      if (!settings.deep_norm) return {};
      const double depth = std::pow(std::pow(encoder, 4) * decoder, 1.0 / 16);
      return deep(0.81 * depth, 0.87 / depth);
    }
    case LayerStack::decoder:
      if (!settings.deep_norm) return {};
      return deep(std::pow(3 * decoder, 0.25), std::pow(12 * decoder, -0.25));
    case LayerStack::only:
      break;
  }
  if (settings.deep_norm) return deep(std::pow(2 * layers, 0.25), std::pow(8 * layers, -0.25));
  // So that the sum of all branches does not grow with the number of layers.
  return {1, {1, 1 / std::sqrt(2.0 * layers)}};
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/layers/attention.h"
#include "model/networks/network_sizes.h"
#include "model/networks/transformer_settings.h"

namespace gloss {

/// Representation of positions on one side.
struct PositionScheme {
  Tensor embeddings;  ///< [max_positions, width], added to token embeddings; may be empty
  AttentionPositions attention;
};
struct PositionSchemes {
  PositionScheme encoder, decoder;
};
/// Tables of sines, angles or distances, or the parameters SIDE.positions or SIDE.distances of the existing
/// sides.
PositionSchemes declare_positions(Parameters&, const NetworkSizes&, const TransformerSettings&);

}  // namespace gloss

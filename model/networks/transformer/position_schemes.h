// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "model/layers/attention.h"
#include "model/networks/mixers/transformer_settings.h"
#include "model/networks/parts/network_sizes.h"
#include "model/networks/parts/stem_settings.h"

namespace gloss {

/// Representation of positions on one side.
struct PositionScheme {
  Tensor embeddings;                      ///< [max_positions, width], added to token embeddings; may be empty
  AttentionPositions attention;           ///< without distances if they are in buckets
  Tensor buckets{};                       ///< [heads, buckets]; may be empty
  std::vector<int> bucket_of_distance{};  ///< from -reach to reach

  /// The positions of self-attention in one pass, with the distances of the buckets.
  AttentionPositions in_attention() const;
};
struct PositionSchemes {
  PositionScheme encoder, decoder;
};
/// Tables of sines, angles or distances, or the parameters SIDE.positions or SIDE.distances of the existing
/// sides. `grid`: that of the vectors of the encoder, whose relative positions are offsets in it; without
/// columns, they are a sequence.
PositionSchemes declare_positions(Parameters&, const NetworkSizes&, const TransformerSettings&,
                                  const GridSize& grid = {});

/// The number of offsets between the places of a grid.
std::int64_t offsets_of(const GridSize&);

}  // namespace gloss

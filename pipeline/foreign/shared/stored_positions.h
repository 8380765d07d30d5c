// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <vector>

#include "model/formats/stored_arrays.h"
#include "model/networks/mixers/transformer_settings.h"

namespace gloss {

/// The positions of a network whose lines other programs do not limit: distances in buckets need no table.
inline constexpr int kUnlimitedPositions = 1 << 14;

/// The kind of the positions of a network with these tables of embeddings, one for each side: none, if all
/// are zero; sinusoidal, if they are those that gloss computes, bit for bit; else learned.
Positions kind_of_positions(const std::vector<const StoredArray*>& tables);

/// The inverse: the table [count, width] of positions that are none or sinusoidal.
std::vector<float> table_of_positions(Positions, int count, int width);

}  // namespace gloss

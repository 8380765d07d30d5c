// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <vector>

#include "model/networks/packed_rows.h"
#include "model/networks/parts/network_sizes.h"
#include "model/networks/recurrent/recurrent_settings.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

/// Random choices of one pass: dropout masks, the same in all steps, and the sampling of hard attention.
/// Without a generator nothing is dropped, and hard attention takes the best position.
struct RecurrentMasks {
  DropoutMask source, target, output;
  std::vector<DropoutMask> encoder, decoder;  ///< per layer
  std::vector<DropoutMask> backwards;         ///< per layer of an encoder's separate stack
  std::shared_ptr<const KeyDraw> draw;        ///< null: attention is soft
  RecurrentMasks(const NetworkSizes&, const RecurrentSettings&, Random*);
};

/// Number of each row of a packed batch for dropout: the row, or its sentence if all tokens of a sentence
/// share a mask.
std::vector<int> mask_numbers(const PackedRows&, const RecurrentSettings&);

}  // namespace gloss

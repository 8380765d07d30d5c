// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"

namespace gloss {

struct MixerKind;

/// Settings of bigbird attention, besides the attention_block.
struct BigbirdSettings {
  int window_blocks = 1, global_blocks = 2, random_blocks = 3;  ///< see BlockSizes
};
Fields fields_of(BigbirdSettings&);

/// Block-sparse self-attention (BigBird, Zaheer et al. 2020): blocks of rows see those near them, the first
/// ones and random ones. See SelfAttention for its parameters.
MixerKind bigbird_mixer();

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"

namespace gloss {

struct MixerKind;

/// Settings of attention by hashing, besides the attention_block.
struct LshSettings {
  int rounds = 4;  ///< of hashing
};
Fields fields_of(LshSettings&);

/// Attention among rows that the same hash puts into one bucket (Reformer, Kitaev et al. 2020). Keys are the
/// normalised queries. The directions of hashing are the same in every model with the same sizes; they depend
/// on the layer. Parameters NAME.query_value [2 width, width] and NAME.output.
MixerKind lsh_mixer();

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"

namespace gloss {

struct MixerKind;

/// Settings of linear attention.
struct LinearAttentionSettings {
  int features = 128;  ///< random features of each head
};
Fields fields_of(LinearAttentionSettings&);

/// Linear attention with orthogonal random features (Performer, Choromanski et al. 2021). The features are
/// the same in every model with the same sizes; they depend on the layer. Parameters NAME.query_key_value and
/// NAME.output.
MixerKind linear_mixer();

}  // namespace gloss

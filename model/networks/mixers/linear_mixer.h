// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixers/mixer.h"

namespace gloss {

/// Linear attention with orthogonal random features (Performer, Choromanski et al. 2021). The features are
/// the same in every model with the same sizes; they depend on the layer. Parameters NAME.query_key_value and
/// NAME.output.
MixerKind linear_mixer();

}  // namespace gloss

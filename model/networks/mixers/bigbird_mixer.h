// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixers/mixer.h"

namespace gloss {

/// Block-sparse self-attention (BigBird, Zaheer et al. 2020): blocks of rows see those near them, the first
/// ones and random ones. See SelfAttention for its parameters.
MixerKind bigbird_mixer();

}  // namespace gloss

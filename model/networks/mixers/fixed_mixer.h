// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixers/mixer.h"

namespace gloss {

/// Self-attention to the rows of the own block and to the last rows of other blocks (Child et al. 2019). See
/// SelfAttention for its parameters.
MixerKind fixed_mixer();

}  // namespace gloss

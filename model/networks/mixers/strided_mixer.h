// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixers/mixer.h"

namespace gloss {

/// Self-attention to rows at distances that are multiples of the stride of the settings (Child et al. 2019).
/// See SelfAttention for its parameters.
MixerKind strided_mixer();

}  // namespace gloss

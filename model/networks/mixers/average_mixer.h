// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixers/mixer.h"

namespace gloss {

/// Average attention (Zhang et al. 2018). See AverageAttention for its parameters.
MixerKind average_mixer();

}  // namespace gloss

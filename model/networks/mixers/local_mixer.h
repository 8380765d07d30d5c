// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixers/mixer.h"

namespace gloss {

/// Self-attention to the rows within a window (Beltagy et al. 2020), whose time is proportional to the window
/// times the length. See SelfAttention for its parameters.
MixerKind local_mixer();

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixers/mixer.h"

namespace gloss {

/// A simpler simple recurrent unit (Kim et al. 2019). See Ssru for its parameters.
MixerKind ssru_mixer();

}  // namespace gloss

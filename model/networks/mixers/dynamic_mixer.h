// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixers/mixer.h"

namespace gloss {

/// Dynamic convolution (Wu et al. 2019): as the lightweight one, with kernels that a linear layer computes
/// from each row. Parameters NAME.input, NAME.kernel.weight [heads * kernel width, width], without bias, and
/// NAME.output.
MixerKind dynamic_mixer();

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixers/mixer.h"

namespace gloss {

/// Lightweight convolution (Wu et al. 2019): output(convolution(GLU(input(x)))), with a kernel for each head
/// that sums to 1. Parameters NAME.input, NAME.kernel.weight [heads, kernel width] and NAME.output.
MixerKind lightweight_mixer();

}  // namespace gloss

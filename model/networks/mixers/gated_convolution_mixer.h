// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixers/mixer.h"

namespace gloss {

/// Gated convolution as in ConvS2S (Gehring et al. 2017): a full convolution to twice the width, then a gated
/// linear unit. Parameters NAME.kernel.weight [2 width, kernel width * width] and NAME.kernel.bias: rows of
/// the gate, then of what it gates; columns of the first row of the kernel, then of the next.
MixerKind gated_convolution_mixer();

}  // namespace gloss

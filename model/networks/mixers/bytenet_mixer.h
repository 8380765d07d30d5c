// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixers/mixer.h"

namespace gloss {

/// The residual block of ByteNet (Kalchbrenner et al. 2016): a dilated convolution of half the width between
/// two pointwise layers. Parameters NAME.reduce, NAME.kernel_norm, NAME.kernel, NAME.expand_norm and
/// NAME.expand.
MixerKind bytenet_mixer();

}  // namespace gloss

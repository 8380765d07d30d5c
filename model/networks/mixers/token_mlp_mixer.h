// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixers/mixer.h"

namespace gloss {

/// A feed-forward layer over the tokens of a window, the same for each channel (MLP-Mixer, Tolstikhin et al.
/// 2021). Parameters NAME.inner [inner width, window] and NAME.outer [window, inner width].
MixerKind token_mlp_mixer();

}  // namespace gloss

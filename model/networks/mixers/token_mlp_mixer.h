// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"

namespace gloss {

struct MixerKind;

/// Settings of the feed-forward layer over tokens.
struct TokenMlpSettings {
  int window = 32;  ///< rows that the feed-forward layer mixes
  int width = 64;   ///< its inner width
};
Fields fields_of(TokenMlpSettings&);

/// A feed-forward layer over the tokens of a window, the same for each channel (MLP-Mixer, Tolstikhin et al.
/// 2021). Parameters NAME.inner [inner width, window] and NAME.outer [window, inner width].
MixerKind token_mlp_mixer();

}  // namespace gloss

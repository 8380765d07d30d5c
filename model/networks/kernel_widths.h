// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "model/networks/mixer.h"

namespace gloss {

/// The number of rows that the convolution of an encoder's layer reads: that of the settings, or the default
/// of the mixer, or less if texts are short. Throws UsageError if the list does not have one width, or one
/// for each layer that convolves, or if a width is even or larger than any text.
int kernel_width_of(const MixerPlace&);
/// The same for a MixerKind.
void check_kernel_width(const MixerPlace&);
/// Throws UsageError if the channels cannot be divided among the heads.
void check_heads_of_kernels(const MixerPlace&);

}  // namespace gloss

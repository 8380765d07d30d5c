// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/fields.h"
#include "model/kernels/convolution.h"

namespace gloss {

struct MixerLayer;

/// Settings of mixers that convolve: a number for all layers that convolve or for each, those of the encoder
/// first.
struct KernelSettings {
  std::vector<std::string> widths;     ///< rows that a convolution reads; empty: see `taps_of`
  std::vector<std::string> dilations;  ///< rows from one tap of a kernel to the next; empty: 1
};
Fields fields_of(KernelSettings&);

/// The taps of the convolution of a layer, with the kernel width and the dilation of the settings. The
/// default width is that of the mixer, or less if texts are short. Throws UsageError if a list does not have
/// one number, or one for each layer that convolves (of the encoder, then of the decoder), if a width is even
/// and the layer sees both sides, or if the taps reach beyond any text.
ConvolutionTaps taps_of(const MixerLayer&);
/// Throws UsageError as `taps_of` does, and if layers that share their weights differ.
void check_taps(const MixerLayer&);
/// The same, and throws UsageError if the channels cannot be divided among the heads.
void check_heads_of_kernels(const MixerLayer&);

}  // namespace gloss

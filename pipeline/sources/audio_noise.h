// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"
#include "base/random.h"
#include "pipeline/sources/log_mel.h"

namespace gloss {

/// Random changes of the spectrograms of training recordings (SpecAugment, Park et al. 2019).
struct AudioNoise {
  int time_masks = 0, time_width = 20;  ///< stretches of windows that become 0, and their greatest length
  int band_masks = 0, band_width = 10;  ///< stretches of bands, and their greatest number

  bool any() const { return time_masks > 0 || band_masks > 0; }
};
Fields fields_of(AudioNoise&);

/// Sets stretches of a normalised spectrogram to 0, each of at most half of it.
void add_noise(Spectrogram&, const AudioNoise&, Random&);

}  // namespace gloss

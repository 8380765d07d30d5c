// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "base/fields.h"
#include "base/random.h"
#include "pipeline/media/log_mel.h"
#include "pipeline/media/recording.h"

namespace gloss {

/// Random changes of training recordings: of their speed (Ko et al. 2015), and of their spectrograms
/// (SpecAugment, Park et al. 2019).
struct AudioNoise {
  double speed = 0;                     ///< how much faster or slower than recorded, at most; below 1
  int time_masks = 0, time_width = 20;  ///< stretches of windows that become 0, and their greatest length
  int band_masks = 0, band_width = 10;  ///< stretches of bands, and their greatest number

  bool any() const { return speed > 0 || time_masks > 0 || band_masks > 0; }
};
Fields fields_of(AudioNoise&);

/// The recording played at a random speed, with the pitch that follows from it.
Recording at_random_speed(const Recording&, const AudioNoise&, Random&);

/// Sets stretches of a normalised spectrogram to 0, each of at most half of it.
void add_noise(Spectrogram&, const AudioNoise&, Random&);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/fields.h"

namespace gloss {

/// What makes the numbers of different recordings comparable: mean 0 and variance 1 of each band over one
/// recording, or over the training recordings; or nothing.
enum class AudioNorm { recording, global, none };

/// Settings of recordings and of the numbers that a network reads: the logarithms of their energies in bands
/// of frequencies (log-mel filter banks), for each of many short windows.
struct AudioSettings {
  int rate = 0;  ///< samples per second; 0: that of the first training recording
  int bands = 80;
  double window = 25, shift = 10;  ///< milliseconds of a window, and from one to the next
  AudioNorm norm = AudioNorm::global;
  /// Of each band in the training recordings, with AudioNorm::global.
  std::vector<std::string> mean, deviation;
};
/// The fields that users choose.
Fields fields_of(AudioSettings&);
/// The fields that follow from the training recordings, besides.
Fields learned_fields_of(AudioSettings&);

/// The number of samples of a window, or from one window to the next.
int window_samples(const AudioSettings&);
int shift_samples(const AudioSettings&);

/// Throws UsageError if the settings conflict.
void check(const AudioSettings&);

}  // namespace gloss

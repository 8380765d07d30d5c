// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/networks/parts/audio_settings.h"
#include "pipeline/media/recording.h"

namespace gloss {

/// Numbers of a recording, window after window.
struct Spectrogram {
  int windows = 0, bands = 0;
  std::vector<float> values;  ///< [windows, bands]
};

/// Computes spectrograms: windows of a recording (Hann), their energies by frequency, summed in overlapping
/// triangular bands whose widths are equal on the mel scale, and the logarithms of these sums. Thread-safe.
class LogMel {
 public:
  /// The rate must be known.
  explicit LogMel(const AudioSettings&);
  ~LogMel();
  LogMel(LogMel&&) noexcept;

  /// Before normalisation. A recording that is shorter than a window has one, which ends with zeros.
  Spectrogram operator()(const Recording&) const;

 private:
  class Transform;
  AudioSettings settings_;
  std::unique_ptr<const Transform> transform_;
};

/// Gives each band mean 0 and variance 1, over the recording or by the numbers in the settings.
void normalise(Spectrogram&, const AudioSettings&);

/// The version of KISS FFT.
std::string kissfft_version();

}  // namespace gloss

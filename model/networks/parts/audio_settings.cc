// SPDX-License-Identifier: Apache-2.0

#include "model/networks/parts/audio_settings.h"

#include <cmath>

#include "base/error.h"

namespace gloss {

Fields fields_of(AudioSettings& s) {
  return {{"audio_rate",
           &s.rate,
           "samples per second to which recordings are converted (0: as the first training recording)",
           {0, 384'000}},
          {"audio_bands", &s.bands, "bands of frequencies (mel filters) of each window", {1, 512}},
          {"audio_window", &s.window, "length of a window in milliseconds", {1, 1000}},
          {"audio_shift", &s.shift, "milliseconds from the start of a window to that of the next", {1, 1000}},
          {"audio_norm", choice(s.norm, {"recording", "global", "none"}),
           "give the numbers of each band mean 0 and variance 1 over the training recordings (global), or "
           "over each recording"}};
}

Fields learned_fields_of(AudioSettings& s) {
  return {{"audio_mean", &s.mean, "mean of each band in the training recordings"},
          {"audio_deviation", &s.deviation, "standard deviation of each band"}};
}

int window_samples(const AudioSettings& s) {
  return std::max(1, static_cast<int>(std::lround(s.rate * s.window / 1000)));
}

int shift_samples(const AudioSettings& s) {
  return std::max(1, static_cast<int>(std::lround(s.rate * s.shift / 1000)));
}

void check(const AudioSettings& s) {
  if (s.rate == 0) return;
  const int window = window_samples(s);
  if (window < 2) {
    throw UsageError(concat("audio_window of ", s.window, " ms has ", window, " of ", s.rate,
                            " samples per second; choose a longer window"));
  }
  if (s.bands > window) {
    throw UsageError(concat("audio_bands is ", s.bands, ", but a window has only ", window,
                            " samples; choose fewer bands or a longer audio_window"));
  }
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/audio_noise.h"

#include <algorithm>

#include "base/index.h"

namespace gloss {
namespace {

/// A stretch of numbers from 0 to `size` - 1.
struct Stretch {
  int begin, end;
};

Stretch random_stretch(int size, int longest, Random& random) {
  const int most = std::min(longest, size / 2);
  const int length = static_cast<int>(random.below(static_cast<std::uint64_t>(most) + 1));
  const int begin = static_cast<int>(random.below(static_cast<std::uint64_t>(size - length) + 1));
  return {begin, begin + length};
}

}  // namespace

Fields fields_of(AudioNoise& noise) {
  return {{"audio_speed",
           &noise.speed,
           "play training recordings faster or slower by up to this part of their speed, at random",
           {0, 0.5}},
          {"audio_time_masks",
           &noise.time_masks,
           "stretches of windows of a training recording that become 0, at random (SpecAugment)",
           {0, 100}},
          {"audio_time_width", &noise.time_width, "windows of such a stretch, at most", {1, 10'000}},
          {"audio_band_masks", &noise.band_masks, "stretches of bands that become 0, at random", {0, 100}},
          {"audio_band_width", &noise.band_width, "bands of such a stretch, at most", {1, 512}}};
}

Recording at_random_speed(const Recording& recording, const AudioNoise& noise, Random& random) {
  return at_speed(recording, 1 + noise.speed * (2 * random.uniform() - 1));
}

void add_noise(Spectrogram& spectrogram, const AudioNoise& noise, Random& random) {
  const auto bands = index(spectrogram.bands);
  for (int mask = 0; mask < noise.time_masks; ++mask) {
    const Stretch windows = random_stretch(spectrogram.windows, noise.time_width, random);
    std::fill(spectrogram.values.begin() + std::ptrdiff_t{windows.begin} * spectrogram.bands,
              spectrogram.values.begin() + std::ptrdiff_t{windows.end} * spectrogram.bands, 0.0f);
  }
  for (int mask = 0; mask < noise.band_masks; ++mask) {
    const Stretch masked = random_stretch(spectrogram.bands, noise.band_width, random);
    for (std::size_t row = 0; row < index(spectrogram.windows); ++row) {
      const auto begin = spectrogram.values.begin() + static_cast<std::ptrdiff_t>(row * bands);
      std::fill(begin + masked.begin, begin + masked.end, 0.0f);
    }
  }
}

}  // namespace gloss

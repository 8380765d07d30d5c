// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

namespace gloss {

/// Recorded sound with one channel.
struct Recording {
  int rate = 0;                ///< samples per second
  std::vector<float> samples;  ///< usually from -1 to 1

  double seconds() const { return static_cast<double>(samples.size()) / rate; }
};

/// Limits that are checked before a recording is decoded.
constexpr int kMostChannels = 32;
constexpr int kSlowestRate = 1000, kFastestRate = 384'000;
constexpr double kLongestRecording = 3600;  ///< seconds

/// Reads a WAV, FLAC or OGG file, or another one that libsndfile knows; the mean of several channels. Throws
/// InputError with the name of the file if it is another one, damaged, empty or too long, or if a sample is
/// not a finite number.
Recording read_recording(const std::string& path);

/// The recording at another rate, by band-limited interpolation. Throws InputError if the rates differ by
/// more than a factor of 256, which libsamplerate does not convert.
Recording resampled(const Recording&, int rate);

/// The recording played `speed` times as fast, at its rate: shorter and higher if `speed` is above 1.
Recording at_speed(const Recording&, double speed);

/// The versions of libsndfile and libsamplerate.
std::string sndfile_version();
std::string samplerate_version();

}  // namespace gloss

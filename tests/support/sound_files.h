// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace gloss {

/// A little-endian number.
inline std::string little_endian_bytes(std::uint32_t number, int size) {
  std::string bytes;
  for (int shift = 0; shift < 8 * size; shift += 8) bytes += static_cast<char>(number >> shift & 255);
  return bytes;
}

/// A WAV file around samples that are bytes already. `format`: 1 for whole numbers, 3 for floating-point
/// ones.
inline std::string wav_file(int rate, int channels, int format, int sample_bytes, const std::string& data) {
  const auto number = [](int value, int size) {
    return little_endian_bytes(static_cast<std::uint32_t>(value), size);
  };
  const int block = channels * sample_bytes;
  const std::string head = "WAVEfmt " + number(16, 4) + number(format, 2) + number(channels, 2) +
                           number(rate, 4) + number(rate * block, 4) + number(block, 2) +
                           number(8 * sample_bytes, 2) + "data" + number(static_cast<int>(data.size()), 4);
  return "RIFF" + number(static_cast<int>(head.size() + data.size()), 4) + head + data;
}

/// A WAV file of 16 bits per sample; those of all channels are next to each other.
inline std::string wav_bytes(int rate, int channels, const std::vector<int>& samples) {
  std::string data;
  for (const int sample : samples) data += little_endian_bytes(static_cast<std::uint32_t>(sample), 2);
  return wav_file(rate, channels, 1, 2, data);
}

/// A WAV file of floating-point samples.
inline std::string float_wav_bytes(int rate, const std::vector<float>& samples) {
  std::string data;
  for (const float sample : samples) data += little_endian_bytes(std::bit_cast<std::uint32_t>(sample), 4);
  return wav_file(rate, 1, 3, 4, data);
}

}  // namespace gloss

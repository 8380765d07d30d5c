// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/index.h"

namespace gloss {

/// A binary PGM (one channel) or PPM file (three) of these pixels.
inline std::string pnm_bytes(int height, int width, int channels, const std::vector<std::uint8_t>& pixels) {
  return (channels == 1 ? "P5 " : "P6 ") + std::to_string(width) + " " + std::to_string(height) + " 255\n" +
         std::string(pixels.begin(), pixels.end());
}

/// A big-endian number of 32 bits.
inline std::string big_endian_bytes(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 255);
  return bytes;
}

/// An idx archive of bytes.
inline std::string idx_bytes(const std::vector<int>& sizes, std::string_view numbers) {
  std::string bytes{'\0', '\0', '\x08', static_cast<char>(sizes.size())};
  for (const int size : sizes) bytes += big_endian_bytes(static_cast<std::uint32_t>(size));
  return bytes.append(numbers);
}

/// A grey image with a bright vertical (`upright`) or horizontal bar at a place that depends on `number`.
inline std::vector<std::uint8_t> bar_image(int side, bool upright, int number) {
  std::vector<std::uint8_t> pixels;
  const int place = number % side;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const bool bar = (upright ? x : y) == place;
      pixels.push_back(static_cast<std::uint8_t>((bar ? 200 : 20) + (number * 7 + x * 3 + y * 5) % 30));
    }
  }
  return pixels;
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gloss {

/// An image: rows from top to bottom, pixels from left to right, channels from 0 to 255 next to each other.
struct Image {
  int height = 0, width = 0;
  int channels = 0;                  ///< 1: grey; 3: red, green and blue (sRGB)
  std::vector<std::uint8_t> pixels;  ///< [height, width, channels]

  /// The number of numbers in a row.
  int row_size() const { return width * channels; }
};

/// Limits that are checked before an image is decoded.
constexpr int kLongestImageSide = 16'384;
constexpr std::int64_t kMostImagePixels = std::int64_t{1} << 26;
/// Throws InputError, with the name of the file, unless an image has pixels, within the limits.
void check_image_size(std::int64_t height, std::int64_t width, const std::string& name);

}  // namespace gloss

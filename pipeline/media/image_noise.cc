// SPDX-License-Identifier: Apache-2.0

#include "pipeline/media/image_noise.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"

namespace gloss {
namespace {

void shift_image(Image& image, int down, int right) {
  const Image before = image;
  const auto channels = index(image.channels);
  for (int y = 0; y < image.height; ++y) {
    const int from_y = std::clamp(y - down, 0, image.height - 1);
    const std::uint8_t* const from = before.pixels.data() + index(from_y) * index(image.row_size());
    std::uint8_t* to = image.pixels.data() + index(y) * index(image.row_size());
    for (int x = 0; x < image.width; ++x, to += channels) {
      const int from_x = std::clamp(x - right, 0, image.width - 1);
      std::copy_n(from + index(from_x) * channels, channels, to);
    }
  }
}

void flip_image(Image& image) {
  const auto channels = index(image.channels), width = index(image.width);
  for (int y = 0; y < image.height; ++y) {
    std::uint8_t* const row = image.pixels.data() + index(y) * index(image.row_size());
    for (std::size_t x = 0; x < width / 2; ++x) {
      std::swap_ranges(row + x * channels, row + (x + 1) * channels, row + (width - 1 - x) * channels);
    }
  }
}

void erase_part(Image& image, Random& random) {
  constexpr double kSmallestPart = 0.02, kLargestPart = 0.33, kLargestRatio = 3.3;
  const double area =
      (kSmallestPart + (kLargestPart - kSmallestPart) * random.uniform()) * image.height * image.width;
  const double ratio = std::exp((2 * random.uniform() - 1) * std::log(kLargestRatio));
  const auto side = [](double length, int longest) {
    return std::clamp(static_cast<int>(std::lround(length)), 1, longest);
  };
  const int height = side(std::sqrt(area * ratio), image.height),
            width = side(std::sqrt(area / ratio), image.width);
  const auto place = [&](int room) { return static_cast<int>(random.below(index(room) + 1)); };
  const int top = place(image.height - height), left = place(image.width - width);
  for (int y = top; y < top + height; ++y) {
    std::uint8_t* const row = image.pixels.data() + index(y) * index(image.row_size());
    for (std::size_t i = index(left * image.channels); i < index((left + width) * image.channels); ++i)
      row[i] = static_cast<std::uint8_t>(random.below(256));
  }
}

}  // namespace

Fields fields_of(ImageNoise& noise) {
  return {
      {"image_shift",
       &noise.shift,
       "largest number of pixels by which a training image is moved in each direction, at random",
       {0, kLongestImageSide}},
      {"image_flip", &noise.flip, "mirror half of the training images, left to right, at random"},
      {"image_erase", &noise.erase, "probability of erasing a random rectangle of a training image", {0, 1}}};
}

void add_noise(Image& image, const ImageNoise& noise, Random& random) {
  if (noise.shift > 0) {
    const auto steps = [&] {
      return static_cast<int>(random.below(2 * index(noise.shift) + 1)) - noise.shift;
    };
    const int down = steps(), right = steps();
    shift_image(image, down, right);
  }
  if (noise.flip && random.uniform() < 0.5) flip_image(image);
  if (noise.erase > 0 && random.uniform() < noise.erase) erase_part(image, random);
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "model/networks/parts/image_settings.h"

#include <cmath>

#include "base/error.h"

namespace gloss {
namespace {

constexpr double kLongestSide = 4096;
constexpr std::int64_t kMostGridVectors = 1 << 16;

}  // namespace

Fields fields_of(ImageSettings& s) {
  return {{"image_height",
           &s.height,
           "height in pixels to which images are scaled (0: that of the first training image)",
           {0, kLongestSide}},
          {"image_width",
           &s.width,
           "width in pixels to which images are scaled (0: that of the first training image)",
           {0, kLongestSide}},
          {"image_channels",
           &s.channels,
           "numbers of each pixel: 1 for grey, 3 for colours (0: as the first training image)",
           {0, 3}},
          {"image_fit", choice(s.fit, {"crop", "stretch"}),
           "images of other proportions: use the middle (crop), or stretch the whole image"},
          {"patch_size",
           &s.patch_size,
           "side of the square patches of pixels, or of the stem's result, that become one vector each",
           {1, 256}}};
}

Fields learned_fields_of(ImageSettings& s) {
  return {{"image_mean", &s.mean, "mean of each channel in the training images, from 0 to 255"},
          {"image_deviation", &s.deviation, "standard deviation of each channel"}};
}

GridSize grid_of(const ImageSettings& s, const StemSettings& stem) {
  const GridSize grid = convolved({s.height, s.width}, stem);
  return {grid.rows / s.patch_size, grid.columns / s.patch_size};
}

std::vector<float> channel_numbers(const std::vector<std::string>& texts, const std::string& name,
                                   int channels) {
  std::vector<float> numbers;
  for (const std::string& text : texts) {
    double number = 0;
    if (!parse_number(text, number) || !std::isfinite(number) || number < 0 || number > 255)
      throw UsageError(concat(name, " has '", text, "'; expected numbers from 0 to 255"));
    numbers.push_back(static_cast<float>(number));
  }
  if (static_cast<int>(numbers.size()) != channels) {
    throw UsageError(
        concat(name, " has ", numbers.size(), " numbers; expected one for each of ", channels, " channels"));
  }
  return numbers;
}

void check(const ImageSettings& s, const StemSettings& stem) {
  if (s.channels == 2) throw UsageError("image_channels is 2; expected 1 (grey) or 3 (colours)");
  const bool plain = stem_layers_of(stem).empty();
  if (s.height == 0 || s.width == 0) return;
  const GridSize before = convolved({s.height, s.width}, stem);
  if (before.rows % s.patch_size != 0 || before.columns % s.patch_size != 0) {
    throw UsageError(concat(plain ? "an image" : "the stem's result", " of ", before.columns, " x ",
                            before.rows, " is not divisible into patches of ", s.patch_size, " x ",
                            s.patch_size, "; choose another patch_size, image_height or image_width"));
  }
  const int vectors = grid_of(s, stem).count();
  if (vectors > kMostGridVectors) {
    throw UsageError(concat("an image of ", s.width, " x ", s.height, " pixels gives ", vectors,
                            " vectors; expected at most ", kMostGridVectors,
                            ": choose larger patches or strides"));
  }
}

}  // namespace gloss

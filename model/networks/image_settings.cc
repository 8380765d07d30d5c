// SPDX-License-Identifier: Apache-2.0

#include "model/networks/image_settings.h"

#include <cmath>

#include "base/error.h"

namespace gloss {
namespace {

constexpr int kWidestStem = 4096, kLargestStride = 4, kMostStemLayers = 16;
constexpr double kLongestSide = 4096;
constexpr std::int64_t kMostGridVectors = 1 << 16;

int stem_number(const std::string& text, const std::string& name, int largest) {
  int number = 0;
  if (parse_number(text, number) && number >= 1 && number <= largest) return number;
  throw UsageError(concat(name, " has '", text, "'; expected whole numbers from 1 to ", largest));
}

}  // namespace

Fields fields_of(ImageSettings& s) {
  return {
      {"image_height",
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
      {"stem_widths",
       &s.stem_widths,
       "channels of each convolution of 3 x 3 pixels before patches, such as 32 64; default: none",
       {},
       0,
       "N"},
      {"stem_strides", &s.stem_strides, "stride of each convolution, such as 1 2; default: 2", {}, 0, "N"},
      {"patch_size",
       &s.patch_size,
       "side of the square patches of pixels, or of the stem's result, that become one vector each",
       {1, 256}}};
}

Fields learned_fields_of(ImageSettings& s) {
  return {{"image_mean", &s.mean, "mean of each channel in the training images, from 0 to 255"},
          {"image_deviation", &s.deviation, "standard deviation of each channel"}};
}

std::vector<StemLayer> stem_layers_of(const ImageSettings& s) {
  std::vector<StemLayer> layers;
  if (s.stem_widths.size() > kMostStemLayers)
    throw UsageError(
        concat("stem_widths has ", s.stem_widths.size(), " numbers; expected at most ", kMostStemLayers));
  if (!s.stem_strides.empty() && s.stem_strides.size() != s.stem_widths.size()) {
    throw UsageError(concat("stem_strides has ", s.stem_strides.size(), " numbers and stem_widths ",
                            s.stem_widths.size(), "; expected one stride for each convolution, or none"));
  }
  for (std::size_t i = 0; i < s.stem_widths.size(); ++i) {
    layers.push_back(
        {stem_number(s.stem_widths[i], "stem_widths", kWidestStem),
         s.stem_strides.empty() ? 2 : stem_number(s.stem_strides[i], "stem_strides", kLargestStride)});
  }
  return layers;
}

GridSize grid_of(const ImageSettings& s) {
  GridSize grid{s.height, s.width};
  for (const StemLayer& layer : stem_layers_of(s)) {
    grid = {(grid.rows + layer.stride - 1) / layer.stride, (grid.columns + layer.stride - 1) / layer.stride};
  }
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

void check(const ImageSettings& s) {
  if (s.channels == 2) throw UsageError("image_channels is 2; expected 1 (grey) or 3 (colours)");
  const std::vector<StemLayer> layers = stem_layers_of(s);
  if (s.height == 0 || s.width == 0) return;
  ImageSettings stem = s;
  stem.patch_size = 1;
  const GridSize before = grid_of(stem);
  if (before.rows % s.patch_size != 0 || before.columns % s.patch_size != 0) {
    throw UsageError(concat(layers.empty() ? "an image" : "the stem's result", " of ", before.columns, " x ",
                            before.rows, " is not divisible into patches of ", s.patch_size, " x ",
                            s.patch_size, "; choose another patch_size, image_height or image_width"));
  }
  if (grid_of(s).count() > kMostGridVectors) {
    throw UsageError(concat("an image of ", s.width, " x ", s.height, " pixels gives ", grid_of(s).count(),
                            " vectors; expected at most ", kMostGridVectors,
                            ": choose larger patches or strides"));
  }
}

}  // namespace gloss

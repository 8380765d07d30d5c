// SPDX-License-Identifier: Apache-2.0

#include "model/networks/parts/stem_settings.h"

#include "base/error.h"

namespace gloss {
namespace {

constexpr int kWidestStem = 4096, kLargestStride = 4, kMostStemLayers = 16;

int stem_number(const std::string& text, const std::string& name, int largest) {
  int number = 0;
  if (parse_number(text, number) && number >= 1 && number <= largest) return number;
  throw UsageError(concat(name, " has '", text, "'; expected whole numbers from 1 to ", largest));
}

}  // namespace

Fields fields_of(StemSettings& s) {
  return {{"stem_widths",
           &s.widths,
           "channels of each convolution over 3 x 3 places before patches, such as 32 64; default: none for "
           "images, 32 32 for audio",
           {},
           0,
           "N"},
          {"stem_strides", &s.strides, "stride of each convolution, such as 1 2; default: 2", {}, 0, "N"}};
}

std::vector<StemLayer> stem_layers_of(const StemSettings& s) {
  std::vector<StemLayer> layers;
  if (s.widths.size() > kMostStemLayers)
    throw UsageError(
        concat("stem_widths has ", s.widths.size(), " numbers; expected at most ", kMostStemLayers));
  if (!s.strides.empty() && s.strides.size() != s.widths.size()) {
    throw UsageError(concat("stem_strides has ", s.strides.size(), " numbers and stem_widths ",
                            s.widths.size(), "; expected one stride for each convolution, or none"));
  }
  for (std::size_t i = 0; i < s.widths.size(); ++i) {
    layers.push_back({stem_number(s.widths[i], "stem_widths", kWidestStem),
                      s.strides.empty() ? 2 : stem_number(s.strides[i], "stem_strides", kLargestStride)});
  }
  return layers;
}

GridSize convolved(const GridSize& grid, int stride) {
  return {(grid.rows + stride - 1) / stride, (grid.columns + stride - 1) / stride};
}

GridSize convolved(GridSize grid, const StemSettings& s) {
  for (const StemLayer& layer : stem_layers_of(s)) grid = convolved(grid, layer.stride);
  return grid;
}

int stride_of(const StemSettings& s) {
  int stride = 1;
  for (const StemLayer& layer : stem_layers_of(s)) stride *= layer.stride;
  return stride;
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "model/networks/sources/convolution_stem.h"

#include <cmath>

#include "base/text.h"
#include "model/layers/initialisers.h"
#include "model/tensor/ops_convolution.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {
namespace {

constexpr int kSide = 3;

/// The rows that a convolution reads, for each place of its result in each grid; -1 for the zeros around it.
std::vector<int> read_places(const std::vector<GridSize>& grids, int stride) {
  std::vector<int> places;
  std::size_t all = 0;
  for (const GridSize& grid : grids) all += static_cast<std::size_t>(convolved(grid, stride).count());
  places.reserve(all * kSide * kSide);
  int first = 0;
  for (const GridSize& grid : grids) {
    const GridSize result = convolved(grid, stride);
    for (int row = 0; row < result.rows; ++row) {
      for (int column = 0; column < result.columns; ++column) {
        for (int y = row * stride - 1; y < row * stride - 1 + kSide; ++y) {
          for (int x = column * stride - 1; x < column * stride - 1 + kSide; ++x) {
            const bool inside = y >= 0 && y < grid.rows && x >= 0 && x < grid.columns;
            places.push_back(inside ? first + y * grid.columns + x : -1);
          }
        }
      }
    }
    first += grid.count();
  }
  // Products need at least two rows.
  if (places.size() == kSide * kSide) places.resize(2 * kSide * kSide, -1);
  return places;
}

}  // namespace

ConvolutionStem::ConvolutionStem(Parameters& parameters, const StemSettings& settings, int channels,
                                 const NormKind& norm)
    : channels_(channels) {
  for (const StemLayer& layer : stem_layers_of(settings)) {
    const std::int64_t inputs = std::int64_t{kSide} * kSide * channels_;
    const std::string name = concat("encoder.stem.", layers_.size());
    const Initialiser he_normal = normal_values(std::sqrt(2.0 / static_cast<double>(inputs)));
    layers_.push_back({layer.stride, Linear(parameters, name, inputs, layer.width, he_normal),
                       Norm(parameters, name + ".norm", layer.width, norm)});
    channels_ = layer.width;
  }
}

Tensor ConvolutionStem::operator()(Tensor x, std::vector<GridSize>& grids) const {
  for (const Convolution& layer : layers_) {
    x = layer.filters(joined_rows(x, read_places(grids, layer.stride), kSide * kSide));
    x = activate(layer.norm(x), Activation::relu, {});
    for (GridSize& grid : grids) grid = convolved(grid, layer.stride);
  }
  return x;
}

}  // namespace gloss

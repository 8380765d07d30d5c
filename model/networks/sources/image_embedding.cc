// SPDX-License-Identifier: Apache-2.0

#include "model/networks/sources/image_embedding.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/index.h"
#include "model/layers/initialisers.h"
#include "model/networks/parts/positions.h"
#include "model/tensor/ops_convolution.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {
Tensor grid_positions(const GridSize& grid, int width, int first) {
  const int half = width / 2;
  const Tensor of_rows = sinusoidal_positions(grid.rows, half),
               of_columns = sinusoidal_positions(grid.columns, half);
  Tensor table = Tensor::zeros({first + grid.count(), width});
  for (int row = 0; row < grid.rows; ++row) {
    for (int column = 0; column < grid.columns; ++column) {
      float* const to = table.data() + std::int64_t{first + row * grid.columns + column} * width;
      std::copy_n(of_rows.data() + std::int64_t{row} * half, half, to);
      std::copy_n(of_columns.data() + std::int64_t{column} * half, half, to + half);
    }
  }
  return table;
}

ImageEmbedding::ImageEmbedding(Parameters& parameters, const SourceParts& parts)
    : settings_(parts.source.image),
      grid_(grid_of(settings_, parts.source.stem)),
      mean_(channel_numbers(settings_.mean, "image_mean", settings_.channels)),
      deviation_(channel_numbers(settings_.deviation, "image_deviation", settings_.channels)) {
  const int width = parts.width, first = parts.class_token ? 1 : 0;
  stem_.emplace(parameters, parts.source.stem, settings_.channels, parts.norm);
  const std::int64_t inputs = std::int64_t{settings_.patch_size} * settings_.patch_size * stem_->channels();
  patch_weight_ = parameters.declare("encoder.patches.weight", {width, inputs}, xavier_uniform(inputs, width),
                                     Role::matrix);
  patch_bias_ = parameters.declare("encoder.patches.bias", {width}, constant_values(0));
  VectorPositions::Tables tables;
  if (parts.positions == Positions::learned) {
    tables.learned = parameters.declare("encoder.positions", {first + grid_.count(), width},
                                        normal_values(1.0 / std::sqrt(width)), Role::table);
  } else if (adds_sinusoids(parts.positions)) {
    tables.fixed = grid_positions(grid_, width, first);
  }
  positions_.emplace(parameters, std::move(tables), width, parts.class_token);
}

Tensor ImageEmbedding::operator()(const PackedRows& rows, const DropoutMask& mask) const {
  const std::int64_t image_size = std::int64_t{settings_.height} * settings_.width * settings_.channels;
  expects(std::ssize(rows.numbers) == rows.sentences() * image_size, rows.numbers.size(), " numbers for ",
          rows.sentences(), " images of ", image_size);
  std::vector<GridSize> grids(index(rows.sentences()), {settings_.height, settings_.width});
  Tensor x = (*stem_)(pixels_of(rows.numbers), grids);
  const std::int64_t in_patch = std::int64_t{settings_.patch_size} * settings_.patch_size;
  x = linear(joined_rows(x, patches_of(rows, grids.front()), in_patch), patch_weight_, patch_bias_);
  x = (*positions_)(x, rows);
  std::vector<int> numbers(rows.tokens.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  return dropout(x, mask, std::move(numbers));
}

Tensor ImageEmbedding::pixels_of(std::span<const float> numbers) const {
  const auto channels = index(settings_.channels);
  // At least two rows, as products of them need.
  const Tensor pixels = Tensor::zeros(
      {std::max<std::int64_t>(2, std::ssize(numbers) / settings_.channels), settings_.channels});
  float* const to = pixels.data();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    // A channel that is the same everywhere has no deviation.
    to[i] = (numbers[i] - mean_[i % channels]) / std::max(deviation_[i % channels], 1.0f);
  }
  return in_type(pixels, patch_weight_.working_type());
}

std::vector<int> ImageEmbedding::patches_of(const PackedRows& rows, const GridSize& before) const {
  const int side = settings_.patch_size;
  std::vector<int> places(rows.tokens.size() * index(side) * index(side), -1);
  for (int image = 0; image < rows.sentences(); ++image) {
    const int first = positions_->first_vector();
    expects(rows.length(image) == first + grid_.count(), "an image with ", rows.length(image),
            " vectors, expected ", first + grid_.count());
    for (int patch = 0; patch < grid_.count(); ++patch) {
      const int top = patch / grid_.columns * side, left = patch % grid_.columns * side;
      int* to = places.data() + std::int64_t{rows.start(image) + first + patch} * side * side;
      for (int y = top; y < top + side; ++y) {
        for (int x = left; x < left + side; ++x) *to++ = (image * before.rows + y) * before.columns + x;
      }
    }
  }
  return places;
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "model/networks/image_embedding.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "model/kernels/dtype.h"
#include "model/kernels/kernels.h"
#include "model/layers/initialisers.h"
#include "model/networks/position_schemes.h"
#include "model/tensor/ops_convolution.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {
namespace {

constexpr int kStemSide = 3;

/// The grid that a convolution with this stride makes; zeros surround its input.
GridSize convolved_grid(const GridSize& grid, int stride) {
  return {(grid.rows + stride - 1) / stride, (grid.columns + stride - 1) / stride};
}

/// The rows that a convolution reads, for each place of its result in each of `images` grids.
std::vector<int> convolved_places(const GridSize& grid, int stride, int images) {
  const GridSize result = convolved_grid(grid, stride);
  std::vector<int> places;
  places.reserve(index(images) * index(result.count()) * kStemSide * kStemSide);
  for (int image = 0; image < images; ++image) {
    for (int row = 0; row < result.rows; ++row) {
      for (int column = 0; column < result.columns; ++column) {
        for (int y = row * stride - 1; y < row * stride - 1 + kStemSide; ++y) {
          for (int x = column * stride - 1; x < column * stride - 1 + kStemSide; ++x) {
            const bool inside = y >= 0 && y < grid.rows && x >= 0 && x < grid.columns;
            places.push_back(inside ? (image * grid.rows + y) * grid.columns + x : -1);
          }
        }
      }
    }
  }
  return places;
}

/// The numbers of an f32 tensor without a gradient in the type of activations.
Tensor in_type(const Tensor& numbers, DType type) {
  if (type == DType::f32) return numbers;
  const Tensor narrow = Tensor::uninitialised(numbers.shape(), type);
  kernels().narrow(numbers.data(), narrow.data_as<Bf16>(), numbers.count());
  return narrow;
}

Initialiser he_normal(std::int64_t inputs) {
  return normal_values(std::sqrt(2.0 / static_cast<double>(inputs)));
}

}  // namespace

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
      first_vector_(parts.class_token ? 1 : 0),
      grid_(grid_of(settings_)),
      mean_(channel_numbers(settings_.mean, "image_mean", settings_.channels)),
      deviation_(channel_numbers(settings_.deviation, "image_deviation", settings_.channels)) {
  const int width = parts.width;
  int channels = settings_.channels;
  GridSize grid{settings_.height, settings_.width};
  for (const StemLayer& layer : stem_layers_of(settings_)) {
    const std::int64_t inputs = std::int64_t{kStemSide} * kStemSide * channels;
    const std::string name = concat("encoder.stem.", stem_.size());
    stem_.push_back({grid, layer.stride, Linear(parameters, name, inputs, layer.width, he_normal(inputs)),
                     Norm(parameters, name + ".norm", layer.width, parts.norm)});
    grid = convolved_grid(grid, layer.stride);
    channels = layer.width;
  }
  const std::int64_t inputs = std::int64_t{settings_.patch_size} * settings_.patch_size * channels;
  patch_weight_ = parameters.declare("encoder.patches.weight", {width, inputs}, xavier_uniform(inputs, width),
                                     Role::matrix);
  patch_bias_ = parameters.declare("encoder.patches.bias", {width}, constant_values(0));
  const double small = 1.0 / std::sqrt(width);
  if (parts.class_token)
    class_ = parameters.declare("encoder.class", {1, width}, normal_values(small), Role::table);
  if (parts.positions == Positions::learned) {
    learned_positions_ = parameters.declare("encoder.positions", {first_vector_ + grid_.count(), width},
                                            normal_values(small), Role::table);
  } else if (parts.positions == Positions::sinusoidal) {
    fixed_positions_ = grid_positions(grid_, width, first_vector_);
  }
}

Tensor ImageEmbedding::operator()(const PackedRows& rows, const DropoutMask& mask) const {
  const std::int64_t image_size = std::int64_t{settings_.height} * settings_.width * settings_.channels;
  expects(std::ssize(rows.numbers) == rows.sentences() * image_size, rows.numbers.size(), " numbers for ",
          rows.sentences(), " images of ", image_size);
  Tensor x = pixels_of(rows.numbers);
  GridSize grid{settings_.height, settings_.width};
  for (const StemConvolution& layer : stem_) {
    const std::vector<int> places = convolved_places(layer.grid, layer.stride, rows.sentences());
    x = layer.filters(joined_rows(x, places, kStemSide * kStemSide));
    x = activate(layer.norm(x), Activation::relu, {});
    grid = convolved_grid(layer.grid, layer.stride);
  }
  const std::int64_t in_patch = std::int64_t{settings_.patch_size} * settings_.patch_size;
  x = linear(joined_rows(x, patches_of(rows, grid), in_patch), patch_weight_, patch_bias_);
  x = with_positions(x, rows);
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
    expects(rows.length(image) == first_vector_ + grid_.count(), "an image with ", rows.length(image),
            " vectors, expected ", first_vector_ + grid_.count());
    for (int patch = 0; patch < grid_.count(); ++patch) {
      const int top = patch / grid_.columns * side, left = patch % grid_.columns * side;
      int* to = places.data() + std::int64_t{rows.start(image) + first_vector_ + patch} * side * side;
      for (int y = top; y < top + side; ++y) {
        for (int x = left; x < left + side; ++x) *to++ = (image * before.rows + y) * before.columns + x;
      }
    }
  }
  return places;
}

Tensor ImageEmbedding::with_positions(Tensor vectors, const PackedRows& rows) const {
  const auto add = [&](const Tensor& more) { vectors = add_dropout(vectors, more, {}); };
  if (fixed_positions_) {
    Tensor positions = Tensor::zeros({vectors.rows(), vectors.columns()});
    for (std::size_t row = 0; row < index(rows.start(rows.sentences())); ++row) {
      std::copy_n(fixed_positions_.data() + rows.places[row] * vectors.columns(), vectors.columns(),
                  positions.data() + static_cast<std::int64_t>(row) * vectors.columns());
    }
    add(in_type(positions, vectors.dtype()));
  }
  std::vector<TokenId> places, classes;
  for (std::size_t row = 0; row < rows.tokens.size(); ++row) {
    const bool padding = rows.tokens[row] < 0;
    places.push_back(padding ? -1 : rows.places[row]);
    classes.push_back(padding || rows.places[row] > 0 ? -1 : 0);
  }
  if (learned_positions_) add(embed(learned_positions_, {}, places, rows.places, 1, {}));
  if (class_) add(embed(class_, {}, classes, rows.places, 1, {}));
  return vectors;
}

std::unique_ptr<SourceEmbedding> make_source_embedding(Parameters& parameters, const SourceParts& parts) {
  expects(parts.source.type == SourceType::image, "a source without an embedding");
  return std::make_unique<ImageEmbedding>(parameters, parts);
}

}  // namespace gloss

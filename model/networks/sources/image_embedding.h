// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <vector>

#include "model/networks/sources/convolution_stem.h"
#include "model/networks/sources/source_embedding.h"
#include "model/networks/sources/vector_positions.h"

namespace gloss {

/// Images as vectors: the pixels, normalised; convolutions (ConvolutionStem); then one vector for each square
/// patch (Dosovitskiy et al. 2021), row by row, with the position in the grid. Parameters encoder.stem.N,
/// encoder.patches, encoder.positions and encoder.class.
class ImageEmbedding : public SourceEmbedding {
 public:
  ImageEmbedding(Parameters&, const SourceParts&);
  Tensor operator()(const PackedRows&, const DropoutMask&) const override;

 private:
  /// The normalised pixels [images * height * width, channels].
  Tensor pixels_of(std::span<const float> numbers) const;
  /// The rows of a grid before patches that make the vector of each row; -1 for padding and class tokens.
  std::vector<int> patches_of(const PackedRows&, const GridSize& before) const;

  ImageSettings settings_;
  GridSize grid_;
  std::vector<float> mean_, deviation_;
  std::optional<ConvolutionStem> stem_;
  Tensor patch_weight_, patch_bias_;
  std::optional<VectorPositions> positions_;
};

/// Sinusoidal positions in two dimensions, for each place of a grid, row by row: [places, width]. The first
/// half of the columns depends on the row, the second on the column. `first`: rows of zeros before them.
Tensor grid_positions(const GridSize&, int width, int first = 0);

}  // namespace gloss

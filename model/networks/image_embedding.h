// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "model/layers/linear.h"
#include "model/layers/norm.h"
#include "model/networks/source_embedding.h"

namespace gloss {

/// Images as vectors: the pixels, normalised; convolutions of 3 x 3 pixels, each with a norm and ReLU (the
/// stem); then one vector for each square patch (Dosovitskiy et al. 2021), row by row, with the position in
/// the grid. Parameters encoder.stem.N, encoder.patches, encoder.positions and encoder.class.
class ImageEmbedding : public SourceEmbedding {
 public:
  ImageEmbedding(Parameters&, const SourceParts&);
  Tensor operator()(const PackedRows&, const DropoutMask&) const override;

 private:
  struct StemConvolution {
    GridSize grid;  ///< of its input
    int stride;
    Linear filters;
    Norm norm;
  };

  /// The normalised pixels [images * height * width, channels].
  Tensor pixels_of(std::span<const float> numbers) const;
  /// The rows of a grid before patches that make the vector of each row; -1 for padding and class tokens.
  std::vector<int> patches_of(const PackedRows&, const GridSize& before) const;
  Tensor with_positions(Tensor vectors, const PackedRows&) const;

  ImageSettings settings_;
  int first_vector_;  // 1 after a class token
  GridSize grid_;
  std::vector<float> mean_, deviation_;
  std::vector<StemConvolution> stem_;
  Tensor patch_weight_, patch_bias_;
  Tensor class_;              // [1, width]; may be empty
  Tensor learned_positions_;  // [positions, width]; may be empty
  Tensor fixed_positions_;    // the same
};

/// Sinusoidal positions in two dimensions, for each place of a grid, row by row: [places, width]. The first
/// half of the columns depends on the row, the second on the column. `first`: rows of zeros before them.
Tensor grid_positions(const GridSize&, int width, int first = 0);

}  // namespace gloss

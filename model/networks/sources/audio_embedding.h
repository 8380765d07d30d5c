// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>

#include "model/networks/sources/convolution_stem.h"
#include "model/networks/sources/source_embedding.h"
#include "model/networks/sources/vector_positions.h"

namespace gloss {

/// Recordings as vectors: the energies of bands in short windows, as a grid with a row for each window;
/// convolutions with strides (ConvolutionStem), which join several windows; then one vector for each row of
/// the result, with its position. Features are rows, too, without convolutions. Parameters encoder.stem.N,
/// encoder.windows, encoder.positions and encoder.class.
class AudioEmbedding : public SourceEmbedding {
 public:
  AudioEmbedding(Parameters&, const SourceParts&);
  Tensor operator()(const PackedRows&, const DropoutMask&) const override;

 private:
  int windows_of_vector_, bands_;
  int columns_ = 0;  // of the stem's result
  std::optional<ConvolutionStem> stem_;
  Tensor weight_, bias_;
  std::optional<VectorPositions> positions_;
};

}  // namespace gloss

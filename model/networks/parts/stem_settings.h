// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "base/fields.h"

namespace gloss {

/// A grid of vectors, row by row.
struct GridSize {
  int rows = 0, columns = 0;
  int count() const { return rows * columns; }
};

/// Convolutions over 3 x 3 places, the first layers of a network that reads images or sound.
struct StemSettings {
  std::vector<std::string> widths, strides;  ///< of each; no strides: 2
};
Fields fields_of(StemSettings&);

struct StemLayer {
  int width, stride;
};
/// The convolutions as numbers. Throws UsageError if they are not.
std::vector<StemLayer> stem_layers_of(const StemSettings&);
/// The grid that a convolution with this stride makes of another one, which zeros surround.
GridSize convolved(const GridSize&, int stride);
/// The grid that all convolutions make.
GridSize convolved(GridSize, const StemSettings&);
/// The product of all strides.
int stride_of(const StemSettings&);

}  // namespace gloss

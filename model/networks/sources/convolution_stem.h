// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <vector>

#include "model/layers/linear.h"
#include "model/layers/norm.h"
#include "model/networks/parts/stem_settings.h"

namespace gloss {

/// Convolutions over 3 x 3 places of grids, each with a norm over its channels, which does not depend on the
/// batch, and ReLU. Parameters encoder.stem.N.
class ConvolutionStem {
 public:
  /// `channels`: of the grids.
  ConvolutionStem(Parameters&, const StemSettings&, int channels, const NormKind&);
  /// `x`: the places of all grids, one after the other: [places, channels], at least two rows. Replaces the
  /// sizes of the grids by those of the result.
  Tensor operator()(Tensor x, std::vector<GridSize>& grids) const;
  /// The channels of the result.
  int channels() const { return channels_; }

 private:
  struct Convolution {
    int stride;
    Linear filters;
    Norm norm;
  };
  std::vector<Convolution> layers_;
  int channels_;
};

}  // namespace gloss

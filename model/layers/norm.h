// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/layers/initialisers.h"
#include "model/tensor/ops.h"

namespace gloss {

enum class NormType { layer, rms };

/// The kind of a normalisation.
struct NormKind {
  NormType type = NormType::layer;
  double epsilon = 1e-5;
};

/// Normalisation of [T, width], see NormWeights. Parameters NAME.weight (the gain) and, of layer
/// normalisation, NAME.bias.
class Norm {
 public:
  Norm(Parameters& parameters, const std::string& name, std::int64_t width, const NormKind& kind = {})
      : weights_{.gain = parameters.declare(name + ".weight", {width}, constant_values(1)),
                 .epsilon = static_cast<float>(kind.epsilon)} {
    if (kind.type == NormType::layer) {
      weights_.bias = parameters.declare(name + ".bias", {width}, constant_values(0));
    }
  }
  Tensor operator()(const Tensor& x) const { return norm(x, weights_); }
  /// Normalises base + dropout(branch).
  Tensor of_sum(const Tensor& base, const Tensor& branch, const DropoutMask& mask) const {
    return add_dropout_norm(base, branch, mask, weights_);
  }

 private:
  NormWeights weights_;
};

}  // namespace gloss

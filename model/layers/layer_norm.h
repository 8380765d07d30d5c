// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/layers/initialisers.h"
#include "model/tensor/ops.h"

namespace gloss {

/// Layer normalisation of [T, width]. Parameters NAME.weight (the gain) and NAME.bias.
class LayerNorm {
 public:
  LayerNorm(Parameters& parameters, const std::string& name, std::int64_t width)
      : gain_(parameters.declare(name + ".weight", {width}, constant_values(1))),
        bias_(parameters.declare(name + ".bias", {width}, constant_values(0))) {}
  Tensor operator()(const Tensor& x) const { return layer_norm(x, gain_, bias_); }
  /// Normalises base + dropout(branch).
  Tensor of_sum(const Tensor& base, const Tensor& branch, const DropoutMask& mask) const {
    return add_dropout_norm(base, branch, mask, gain_, bias_);
  }

 private:
  Tensor gain_, bias_;
};

}  // namespace gloss

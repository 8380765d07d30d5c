// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/layers/initialisers.h"
#include "model/tensor/ops.h"

namespace gloss {

/// x · weightᵀ + bias, from [T, in] to [T, out]. Parameters NAME.weight [out, in] and, unless it has none,
/// NAME.bias [out].
class Linear {
 public:
  Linear(Parameters& parameters, const std::string& name, std::int64_t in, std::int64_t out,
         Initialiser initialiser, bool has_bias = true)
      : weight_(parameters.declare(name + ".weight", {out, in}, std::move(initialiser), Role::matrix)),
        bias_(has_bias ? parameters.declare(name + ".bias", {out}, constant_values(0)) : Tensor()) {}
  Tensor operator()(const Tensor& x) const { return linear(x, weight_, bias_); }
  /// With ReLU, then dropout.
  Tensor relu(const Tensor& x, const DropoutMask& mask) const { return linear_relu(x, weight_, bias_, mask); }

 private:
  Tensor weight_, bias_;
};

}  // namespace gloss

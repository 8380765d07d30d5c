#pragma once

#include <string>

#include "model/layers/initialisers.h"
#include "model/tensor/ops.h"

namespace gloss {

/// x · weightᵀ + bias, from [T, in] to [T, out]. Parameters NAME.weight [out, in] and NAME.bias [out].
class Linear {
 public:
  Linear(Parameters& parameters, const std::string& name, std::int64_t in, std::int64_t out,
         Initialiser initialiser)
      : weight_(parameters.declare(name + ".weight", {out, in}, std::move(initialiser), Role::matrix)),
        bias_(parameters.declare(name + ".bias", {out}, constant_values(0))) {}
  Tensor operator()(const Tensor& x) const { return linear(x, weight_, bias_); }
  /// With an activation behind it, and dropout behind that.
  Tensor relu(const Tensor& x, const DropoutMask& mask) const { return linear_relu(x, weight_, bias_, mask); }
  Tensor gelu(const Tensor& x, const DropoutMask& mask) const { return linear_gelu(x, weight_, bias_, mask); }

 private:
  Tensor weight_, bias_;
};

/// Layer normalisation of [T, width]. Parameters NAME.weight (the gain) and NAME.bias.
class LayerNorm {
 public:
  LayerNorm(Parameters& parameters, const std::string& name, std::int64_t width)
      : gain_(parameters.declare(name + ".weight", {width}, constant_values(1))),
        bias_(parameters.declare(name + ".bias", {width}, constant_values(0))) {}
  Tensor operator()(const Tensor& x) const { return layer_norm(x, gain_, bias_); }
  /// Of base + dropout(branch).
  Tensor of_sum(const Tensor& base, const Tensor& branch, const DropoutMask& mask) const {
    return add_dropout_norm(base, branch, mask, gain_, bias_);
  }

 private:
  Tensor gain_, bias_;
};

}  // namespace gloss

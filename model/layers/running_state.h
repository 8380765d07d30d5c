// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/kernels/activation.h"
#include "model/layers/attention.h"
#include "model/layers/linear.h"

namespace gloss {

// Layers that replace self-attention in a decoder. Their state of all earlier rows is one row of running sums
// instead of all keys and values.

/// A simpler simple recurrent unit (Kim et al. 2019): relu(c) with c = f * (c of the row before) + (1 - f) *
/// candidate(x) and f = logistic(forget(x)). Parameters NAME.candidate, without bias, and NAME.forget.
class Ssru {
 public:
  Ssru(Parameters&, const std::string& name, int width);
  /// [T, width] to [T, width].
  Tensor operator()(const Tensor& x, const SelfAttentionView&) const;

 private:
  Linear candidate_, forget_;
};

/// Settings of an average attention.
struct AverageAttentionSizes {
  int width;        ///< of inputs and outputs
  int inner_width;  ///< of the activated layers
  int depth;        ///< number of activated layers
  Activation activation;
  bool gate;
};

/// Average attention (Zhang et al. 2018): the mean of the rows so far, `depth` activated layers and, unless
/// the result has the width of x, a linear one; then, with gates, logistic(input gate(x)) * x +
/// logistic(forget gate(y)) * y. Parameters NAME.inner.N, NAME.outer, NAME.input_gate and NAME.forget_gate.
class AverageAttention {
 public:
  AverageAttention(Parameters&, const std::string& name, const AverageAttentionSizes&);
  /// The means: [T, width] to [T, width].
  static Tensor mean(const Tensor& x, const SelfAttentionView&);
  /// The layers after the mean of x, which may be normalised.
  Tensor finish(const Tensor& x, const Tensor& mean, const DropoutMask& activation) const;

 private:
  AverageAttentionSizes sizes_;
  std::vector<Linear> inner_;
  std::optional<Linear> outer_, input_gate_, forget_gate_;
};

}  // namespace gloss

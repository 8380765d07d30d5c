// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/layers/initialisers.h"
#include "model/tensor/ops.h"

namespace gloss {

/// RMS normalisation of the heads of queries and keys (Henry et al. 2020, Dehghani et al. 2023), see
/// HeadGains. Parameters NAME.query_norm.weight and NAME.key_norm.weight [head width], each for all heads of
/// a layer.
class HeadNorm {
 public:
  /// `queries`, `keys`: which of them the rows have; `epsilon` is added to the mean square.
  HeadNorm(Parameters& parameters, const std::string& name, const AttentionHeads& heads, bool queries,
           bool keys, double epsilon);
  /// [T, columns] to the same.
  Tensor operator()(const Tensor& x) const { return norm_heads(x, gains_); }

 private:
  HeadGains gains_;
};

}  // namespace gloss

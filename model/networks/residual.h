// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/layers/norm.h"
#include "model/networks/transformer_dropout.h"

namespace gloss {

/// x + dropout(branch(x)) with normalisation before the branch or after the sum. Parameters NAME.norm.
class Residual {
 public:
  Residual(Parameters& parameters, const std::string& name, const NetworkSizes& sizes,
           const TransformerSettings& settings)
      : placement_(settings.norm), norm_(parameters, name + ".norm", sizes.width, settings.norms()) {}
  template <class Branch>
  Tensor operator()(const Tensor& x, Branch branch, const TransformerDropout& dropout) const {
    if (placement_ == NormPlacement::pre) return add_dropout(x, branch(norm_(x)), dropout.residual());
    return norm_.of_sum(x, branch(x), dropout.residual());
  }

 private:
  NormPlacement placement_;
  Norm norm_;
};

}  // namespace gloss

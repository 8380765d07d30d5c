// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>

#include "model/layers/linear.h"
#include "model/layers/norm.h"

namespace gloss {

/// A linear layer whose result is normalised if a kind of norm is given. Parameters of Linear for NAME, and
/// of Norm for NAME.norm.
class NormedLinear {
 public:
  struct Widths {
    std::int64_t in, out;
  };
  NormedLinear(Parameters& parameters, const std::string& name, const Widths& widths, Initialiser initialiser,
               const std::optional<NormKind>& norm)
      : linear_(parameters, name, widths.in, widths.out, std::move(initialiser)) {
    if (norm) norm_.emplace(parameters, name + ".norm", widths.out, *norm);
  }
  Tensor operator()(const Tensor& x) const {
    const Tensor y = linear_(x);
    return norm_ ? (*norm_)(y) : y;
  }

 private:
  Linear linear_;
  std::optional<Norm> norm_;
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "model/layers/initialisers.h"
#include "model/layers/linear.h"
#include "model/layers/norm.h"

namespace gloss {

/// An example of a layer: x + dropout(linear(norm(x))), from [T, width] to [T, width]. Parameters
/// NAME.norm and NAME.linear.
class ResidualLinear {
 public:
  ResidualLinear(Parameters& parameters, const std::string& name, std::int64_t width)
      : norm_(parameters, name + ".norm", width),
        linear_(parameters, name + ".linear", width, width, xavier_uniform(width, width)) {}
  Tensor operator()(const Tensor& x, const DropoutMask& mask) const {
    return add_dropout(x, linear_(norm_(x)), mask);
  }

 private:
  Norm norm_;
  Linear linear_;
};

}  // namespace gloss

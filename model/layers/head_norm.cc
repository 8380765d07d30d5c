// SPDX-License-Identifier: Apache-2.0

#include "model/layers/head_norm.h"

#include <cmath>

#include "base/error.h"

namespace gloss {

HeadNorm::HeadNorm(Parameters& parameters, const std::string& name, const AttentionHeads& heads, bool queries,
                   bool keys, double epsilon) {
  const auto gain = [&](const std::string& of, double value) {
    return parameters.declare(concat(name, of, ".weight"), {heads.head_width},
                              constant_values(static_cast<float>(value)));
  };
  gains_.epsilon = static_cast<float>(epsilon);
  // Scores start as if they were divided by the square root of the head width, also if they are not.
  const double of_queries = 1 / (std::sqrt(static_cast<double>(heads.head_width)) * double{heads.scale});
  if (queries) {
    gains_.queries = heads.heads;
    gains_.query = gain(".query_norm", std::abs(of_queries - 1) < 1e-6 ? 1 : of_queries);
  }
  if (keys) {
    gains_.keys = heads.key_value_heads;
    gains_.key = gain(".key_norm", 1);
  }
}

}  // namespace gloss

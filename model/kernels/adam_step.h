// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

namespace gloss {

/// The factors of one Adam step (Kingma and Ba 2015) with decoupled weight decay (Loshchilov and Hutter
/// 2019).
struct AdamStep {
  float gradient_scale;  ///< multiplies the gradients first
  float beta1, beta2;
  float rate;               ///< learning rate divided by the bias correction of the first moment
  float second_correction;  ///< 1 / the bias correction of the second moment
  float epsilon;
  float decay;  ///< learning rate * weight decay
};

/// The weights that an Adam step updates, their gradients and moments, all [count].
struct AdamWeights {
  float* weights;
  float* first_moments;
  float* second_moments;
  const float* gradients;
  std::int64_t count;
};

}  // namespace gloss

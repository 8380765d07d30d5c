// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "model/layers/parameters.h"

namespace gloss {

/// Uniform in ±sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio 2010).
Initialiser xavier_uniform(std::int64_t fan_in, std::int64_t fan_out);
/// Normal with mean 0.
Initialiser normal_values(double standard_deviation);
/// Random orthogonal matrices, uniformly distributed (Saxe, McClelland and Ganguli 2014): square, `width`
/// columns, stacked.
Initialiser orthogonal_matrices(std::int64_t width);
/// Factors of the initial values of the layers within a branch.
struct InitialScales {
  double inner = 1;  ///< of what precedes the last layer: projections of values, inputs of convolutions,
                     ///< inner feed-forward layers
  double outer = 1;  ///< of the last linear layer
};
/// Multiplies the values of another initialiser by `factor`.
Initialiser scaled(Initialiser, double factor);
/// The same value everywhere.
Initialiser constant_values(float value);

}  // namespace gloss

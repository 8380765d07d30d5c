#pragma once

#include <cstdint>

#include "model/layers/parameters.h"

namespace gloss {

/// Uniform in ± sqrt(6 / (fan_in + fan_out)) (Glorot and Bengio 2010).
Initialiser xavier_uniform(std::int64_t fan_in, std::int64_t fan_out);
/// Normal with mean 0.
Initialiser normal_values(double standard_deviation);
/// Square matrices with `width` columns, one below the other, each orthogonal and drawn from all such (Saxe,
/// McClelland and Ganguli 2014).
Initialiser orthogonal_matrices(std::int64_t width);
/// What another one gives, times `factor`.
Initialiser scaled(Initialiser, double factor);
/// One value everywhere.
Initialiser constant_values(float value);

}  // namespace gloss

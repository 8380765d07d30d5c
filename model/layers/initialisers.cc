#include "model/layers/initialisers.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gloss {

Initialiser xavier_uniform(std::int64_t fan_in, std::int64_t fan_out) {
  const double bound = std::sqrt(6.0 / static_cast<double>(fan_in + fan_out));
  return [bound](std::span<float> values, Random& random) {
    for (float& value : values) value = static_cast<float>((2 * random.uniform() - 1) * bound);
  };
}

Initialiser normal_values(double standard_deviation) {
  return [standard_deviation](std::span<float> values, Random& random) {
    for (float& value : values) value = static_cast<float>(random.normal() * standard_deviation);
  };
}

Initialiser scaled(Initialiser initialiser, double factor) {
  return [initialiser = std::move(initialiser), factor](std::span<float> values, Random& random) {
    initialiser(values, random);
    for (float& value : values) value = static_cast<float>(value * factor);
  };
}

Initialiser constant_values(float value) {
  return [value](std::span<float> values, Random&) { std::fill(values.begin(), values.end(), value); };
}

}  // namespace gloss

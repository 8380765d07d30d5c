// SPDX-License-Identifier: Apache-2.0

#include "model/layers/initialisers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/index.h"

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

Initialiser orthogonal_matrices(std::int64_t width) {
  const auto size = index(width);
  return [size](std::span<float> values, Random& random) {
    expects(values.size() % (size * size) == 0, values.size(), " values do not form square matrices with ",
            size, " columns");
    std::vector<double> row(size);
    for (std::size_t at = 0; at < values.size(); at += size) {
      for (double& value : row) value = random.normal();
      for (std::size_t before = at - at % (size * size); before < at; before += size) {  // Gram-Schmidt
        const std::span<const float> other = values.subspan(before, size);
        const double share = std::inner_product(row.begin(), row.end(), other.begin(), 0.0);
        for (std::size_t i = 0; i < size; ++i) row[i] -= share * static_cast<double>(other[i]);
      }
      const double length = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
      for (std::size_t i = 0; i < size; ++i) values[at + i] = static_cast<float>(row[i] / length);
    }
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

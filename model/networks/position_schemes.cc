// SPDX-License-Identifier: Apache-2.0

#include "model/networks/position_schemes.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.h"
#include "model/layers/initialisers.h"

namespace gloss {
namespace {

/// Sines in the first half of the columns, cosines in the second, with wavelengths from 2 pi to 10000 * 2 pi.
Tensor sinusoidal_positions(int count, int width) {
  Tensor table = Tensor::zeros({count, width});
  const int half = width / 2;
  for (int i = 0; i < half; ++i) {
    const double frequency = std::pow(10000.0, -static_cast<double>(i) / std::max(1, half - 1));
    for (int place = 0; place < count; ++place) {
      table.data()[place * width + i] = static_cast<float>(std::sin(place * frequency));
      table.data()[place * width + half + i] = static_cast<float>(std::cos(place * frequency));
    }
  }
  return table;
}

/// Cosines, then sines, of the angles of each position: the wavelengths of rotary positions (Su et al. 2021).
Tensor rotary_angles(int count, int head_width) {
  Tensor table = Tensor::zeros({count, head_width});
  const int half = head_width / 2;
  for (int i = 0; i < half; ++i) {
    const double frequency = std::pow(10000.0, -static_cast<double>(i) / half);
    for (int place = 0; place < count; ++place) {
      table.data()[place * head_width + i] = static_cast<float>(std::cos(place * frequency));
      table.data()[place * head_width + half + i] = static_cast<float>(std::sin(place * frequency));
    }
  }
  return table;
}

/// Scores decrease with the distance, with a different slope for each head (ALiBi, Press et al. 2022).
Tensor falling_distances(int reach, int heads) {
  Tensor table = Tensor::zeros({heads, 2 * std::int64_t{reach} + 1});
  for (int head = 0; head < heads; ++head) {
    const double slope = std::exp2(-8.0 * (head + 1) / heads);
    for (int distance = -reach; distance <= reach; ++distance) {
      table.data()[std::int64_t{head} * table.columns() + reach + distance] =
          static_cast<float>(-slope * std::abs(distance));
    }
  }
  return table;
}

}  // namespace

PositionSchemes declare_positions(Parameters& parameters, const NetworkSizes& sizes,
                                  const TransformerSettings& settings) {
  const auto alike = [](const PositionScheme& scheme) { return PositionSchemes{scheme, scheme}; };
  const auto learned = [&](const std::string& what, const auto& declare) {
    PositionSchemes schemes;
    if (sizes.encoder_layers > 0) schemes.encoder = declare("encoder" + what);
    if (sizes.decoder_layers > 0) schemes.decoder = declare("decoder" + what);
    return schemes;
  };
  switch (settings.positions) {
    case Positions::none:
      return {};
    case Positions::sinusoidal:
      return alike({sinusoidal_positions(sizes.max_positions, sizes.width), {}});
    case Positions::learned:
      return learned(".positions", [&](const std::string& name) -> PositionScheme {
        const Shape shape{sizes.max_positions, sizes.width};
        return {parameters.declare(name, shape, normal_values(1.0 / std::sqrt(sizes.width))), {}};
      });
    case Positions::relative:
      return learned(".distances", [&](const std::string& name) -> PositionScheme {
        const Shape shape{sizes.heads, 2 * std::int64_t{settings.relative_reach} + 1};
        return {{}, {parameters.declare(name, shape, normal_values(0.1)), {}}};
      });
    case Positions::rotary:
      return alike({{}, {{}, rotary_angles(sizes.max_positions, sizes.width / sizes.heads)}});
    case Positions::alibi:
      return alike({{}, {falling_distances(sizes.max_positions - 1, sizes.heads), {}}});
  }
  throw BrokenPromise("positions without a scheme");
}

}  // namespace gloss

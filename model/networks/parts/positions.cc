// SPDX-License-Identifier: Apache-2.0

#include "model/networks/parts/positions.h"

#include <algorithm>
#include <cmath>

namespace gloss {

bool adds_sinusoids(Positions positions) {
  return positions == Positions::sinusoidal || positions == Positions::sinusoidal_relative;
}

bool learns_distances(Positions positions) {
  return positions == Positions::relative || positions == Positions::sinusoidal_relative;
}

bool within_attention(Positions positions) {
  return positions != Positions::none && positions != Positions::sinusoidal &&
         positions != Positions::learned;
}

bool by_distance(Positions positions) {
  return learns_distances(positions) || positions == Positions::alibi || positions == Positions::buckets;
}

Tensor sinusoidal_positions(int count, int width, int first) {
  Tensor table = Tensor::zeros({count, width});
  const int half = width / 2;
  for (int i = 0; i < half; ++i) {
    const double frequency = std::pow(10000.0, -static_cast<double>(i) / std::max(1, half - 1));
    for (int place = 0; place < count; ++place) {
      table.data()[place * width + i] = static_cast<float>(std::sin((first + place) * frequency));
      table.data()[place * width + half + i] = static_cast<float>(std::cos((first + place) * frequency));
    }
  }
  return table;
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "model/layers/recurrent_layer.h"

#include <algorithm>

namespace gloss {
namespace {

/// Zeros, but ones for the LSTM's forget gate, so that it initially remembers (Jozefowicz et al. 2015).
Initialiser input_bias(Cell cell, std::int64_t width) {
  if (cell != Cell::lstm) return constant_values(0);
  return [width](std::span<float> values, Random&) {
    std::fill(values.begin(), values.end(), 0.0f);
    std::fill_n(values.begin() + width, width, 1.0f);
  };
}

}  // namespace

RecurrentLayer::RecurrentLayer(Parameters& parameters, const std::string& name, Cell cell, std::int64_t in,
                               std::int64_t width)
    : cell_(cell) {
  const std::int64_t gates = gates_of(cell) * width;
  // Initialises each gate's part like a separate matrix.
  input_weight_ =
      parameters.declare(name + ".input.weight", {gates, in}, xavier_uniform(in, width), Role::matrix);
  input_bias_ = parameters.declare(name + ".input.bias", {gates}, input_bias(cell, width));
  recurrent_weight_ = parameters.declare(name + ".recurrent.weight", {gates, width},
                                         orthogonal_matrices(width), Role::matrix);
  if (cell == Cell::gru) {
    recurrent_bias_ = parameters.declare(name + ".recurrent.bias", {gates}, constant_values(0));
  }
}

}  // namespace gloss

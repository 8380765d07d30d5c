// SPDX-License-Identifier: Apache-2.0

#include "model/layers/recurrent_cell.h"

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

/// The kind of the norm of a product that a cell does not have.
CellKind without_norm(CellKind kind) {
  kind.norm = ProductNorm::none;
  return kind;
}

}  // namespace

GateNorm::GateNorm(Parameters& parameters, const std::string& name, const CellKind& kind,
                   std::int64_t width) {
  const NormKind norm{NormType::layer, kind.epsilon};
  const std::int64_t gates = gates_of(kind.cell) * width;
  if (kind.norm == ProductNorm::joint) first_.emplace(parameters, name + ".norm", gates, norm);
  if (kind.norm == ProductNorm::separate) {
    first_.emplace(parameters, name + ".norm.gates", gates - width, norm);
    candidate_.emplace(parameters, name + ".norm.candidate", width, norm);
  }
}

Tensor GateNorm::operator()(const Tensor& product) const {
  if (!first_) return product;
  if (!candidate_) return (*first_)(product);
  const std::int64_t width = product.columns() / 3, gates = product.columns() - width;
  const Tensor parts[] = {(*first_)(take_columns(product, 0, gates)),
                          (*candidate_)(take_columns(product, gates, width))};
  return join_columns(parts);
}

RecurrentCell::RecurrentCell(Parameters& parameters, const std::string& name, const CellKind& kind,
                             std::int64_t in, std::int64_t width)
    : cell_(kind.cell),
      // Initialises each gate's part like a separate matrix.
      input_weight_(in > 0 ? parameters.declare(name + ".input.weight", {gates_of(kind.cell) * width, in},
                                                xavier_uniform(in, width), Role::matrix)
                           : Tensor()),
      input_bias_(parameters.declare(name + ".input.bias", {gates_of(kind.cell) * width},
                                     input_bias(kind.cell, width))),
      recurrent_weight_(parameters.declare(name + ".recurrent.weight", {gates_of(kind.cell) * width, width},
                                           orthogonal_matrices(width), Role::matrix)),
      recurrent_bias_(kind.cell == Cell::gru
                          ? parameters.declare(name + ".recurrent.bias", {gates_of(kind.cell) * width},
                                               constant_values(0))
                          : Tensor()),
      input_norm_(parameters, name + ".input", in > 0 ? kind : without_norm(kind), width),
      recurrent_norm_(parameters, name + ".recurrent", kind, width) {}

Tensor RecurrentCell::step(const Tensor& projected, const Tensor& before) const {
  const Tensor hidden = take_columns(before, 0, width());
  const Tensor product = recurrent_norm_(linear(hidden, recurrent_weight_, recurrent_bias_));
  return step_cells(cell_, projected ? projected : Tensor(), projected ? Tensor() : input_bias_, product,
                    before);
}

}  // namespace gloss

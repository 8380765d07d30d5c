// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/layers/linear.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

/// One recurrent layer in one direction. Parameters NAME.input.weight, NAME.input.bias, NAME.recurrent.weight
/// and, for a GRU, NAME.recurrent.bias.
class RecurrentLayer {
 public:
  RecurrentLayer(Parameters&, const std::string& name, Cell, std::int64_t in, std::int64_t width);
  /// The inputs' contribution to the gates, for all steps at once: [T, in] to [T, gates * width].
  Tensor project(const Tensor& x) const { return linear(x, input_weight_, input_bias_); }
  /// The state after each row: see `recurrence`.
  Tensor run(const Tensor& projected, const Tensor& initial,
             std::shared_ptr<const RecurrentSteps> steps) const {
    return recurrence(cell_, projected, recurrent_weight_, recurrent_bias_, initial, std::move(steps));
  }
  /// The part of the states that other layers read: the output, without an LSTM's cell.
  Tensor hidden(const Tensor& states) const { return take_columns(states, 0, recurrent_weight_.columns()); }

 private:
  Cell cell_;
  Tensor input_weight_, input_bias_, recurrent_weight_, recurrent_bias_;
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/layers/recurrent_cell.h"

namespace gloss {

/// One recurrent layer in one direction: a cell and its transitions, which take further steps without input
/// before the next token. Parameters of a RecurrentCell for NAME, and for NAME.transition.I of each
/// transition.
class RecurrentLayer {
 public:
  RecurrentLayer(Parameters&, const std::string& name, const CellKind&, std::int64_t in, std::int64_t width);
  /// The inputs' contribution to the gates, for all steps at once: [T, in] to [T, gates * width].
  Tensor project(const Tensor& x) const { return cell_.project(x); }
  /// The state after each row: see `recurrence`. Rows in no step are without meaning.
  Tensor run(const Tensor& projected, const Tensor& initial,
             std::shared_ptr<const RecurrentSteps> steps) const;
  /// The part of the states that other layers read: the output, without an LSTM's cell.
  Tensor hidden(const Tensor& states) const { return take_columns(states, 0, cell_.width()); }

 private:
  /// One step of the cell and its transitions.
  Tensor step(const Tensor& projected, Tensor state) const;

  bool at_once_;  // one operation computes all steps
  RecurrentCell cell_;
  std::vector<RecurrentCell> transitions_;
};

}  // namespace gloss

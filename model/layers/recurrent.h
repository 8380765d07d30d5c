#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/layers/linear.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

/// The sequences of a packed batch in the order in which recurrences take them: longest first, so that those
/// that have ended are always the last.
class SequenceOrder {
 public:
  /// `starts`: of the sequences, and the end of the last. None is empty.
  explicit SequenceOrder(std::vector<int> starts);
  /// Numbers of sequences, longest first; of equal ones the lower first.
  const std::vector<int>& sequences() const { return sequences_; }
  /// The steps from the first rows to the last, or from the last to the first.
  std::shared_ptr<const RecurrentSteps> forwards() const { return steps(false); }
  std::shared_ptr<const RecurrentSteps> backwards() const { return steps(true); }

 private:
  std::shared_ptr<const RecurrentSteps> steps(bool backwards) const;
  std::vector<int> starts_, sequences_;
};

/// One recurrent layer in one direction. Parameters NAME.input.weight, NAME.input.bias, NAME.recurrent.weight
/// and, of a GRU, NAME.recurrent.bias.
class RecurrentLayer {
 public:
  RecurrentLayer(Parameters&, const std::string& name, Cell, std::int64_t in, std::int64_t width);
  /// The inputs' share of the gates, for all steps at once: [T, in] to [T, gates * width].
  Tensor project(const Tensor& x) const { return linear(x, input_weight_, input_bias_); }
  /// The state after each row: see `recurrence`.
  Tensor run(const Tensor& projected, const Tensor& initial,
             std::shared_ptr<const RecurrentSteps> steps) const {
    return recurrence(cell_, projected, recurrent_weight_, recurrent_bias_, initial, std::move(steps));
  }
  /// What other layers see of states.
  Tensor hidden(const Tensor& states) const { return take_columns(states, 0, recurrent_weight_.columns()); }

 private:
  Cell cell_;
  Tensor input_weight_, input_bias_, recurrent_weight_, recurrent_bias_;
};

}  // namespace gloss

#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "base/random.h"
#include "model/tensor/ops.h"

namespace gloss {

using Inputs = std::vector<Tensor>;

/// An operation to be checked: its gradient, its values, f32 and bf16.
struct OpCase {
  std::string name;
  std::vector<Shape> shapes;
  int activations;  ///< so many of the inputs, from the first on, may be bf16; the others are parameters
  std::function<Tensor(const Inputs&)> operation;
  std::function<std::vector<double>(const Inputs&)> naive;  ///< null: only the gradient is checked
  int steps = 1;  ///< that follow one another, each rounding what the one before gave
};
std::ostream& operator<<(std::ostream&, const OpCase&);

/// Every operation with a gradient, in all its forms.
std::vector<OpCase> op_cases();

/// Those of recurrent networks among them.
std::vector<OpCase> recurrent_op_cases();

/// Numbers from a normal distribution.
Tensor random_tensor(const Shape&, Random&);
/// A number of an f32 matrix.
double at(const Tensor&, std::int64_t row, std::int64_t column);

}  // namespace gloss

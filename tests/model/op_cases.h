// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cmath>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "base/random.h"
#include "model/tensor/ops.h"

namespace gloss {

using Inputs = std::vector<Tensor>;

/// An operation to test: its gradient and its values, f32 and bf16.
struct OpCase {
  std::string name;
  std::vector<Shape> shapes;
  int activations;  ///< the first N inputs may be bf16; the others are parameters
  std::function<Tensor(const Inputs&)> operation;
  std::function<std::vector<double>(const Inputs&)> naive;  ///< null: only the gradient is checked
  int steps = 1;      ///< number of successive steps, each rounding the previous result
  bool wide = false;  ///< the result is f32 whatever the inputs
};
std::ostream& operator<<(std::ostream&, const OpCase&);

inline double logistic(double v) { return 1 / (1 + std::exp(-v)); }

/// An activation function with its definition.
struct ActivationFunction {
  std::string name;
  Activation activation;
  double (*definition)(double);
};
extern const std::vector<ActivationFunction> kActivationFunctions;

/// A mask for operations with dropout.
inline constexpr DropoutMask kDrop{0x123456789abcdef0ULL, 0x50000000u, 1.5f};

/// Every operation with a gradient, in all variants.
std::vector<OpCase> op_cases();

/// Attention and rotated positions among them.
std::vector<OpCase> attention_op_cases();
/// The activations and gates among them.
std::vector<OpCase> activation_op_cases();
/// Linear attention among them.
std::vector<OpCase> linear_attention_op_cases();
/// Sparse attention and windows of tokens among them.
std::vector<OpCase> sparse_op_cases();
/// Convolutions over rows among them.
std::vector<OpCase> convolution_op_cases();
/// The operations of recurrent networks among them.
std::vector<OpCase> recurrent_op_cases();
/// The operations of memory networks among them.
std::vector<OpCase> memory_op_cases();
/// The operations of Neural Turing Machines among them.
std::vector<OpCase> turing_op_cases();

/// Connectionist temporal classification among them.
std::vector<OpCase> ctc_op_cases();

/// Normally distributed elements.
Tensor random_tensor(const Shape&, Random&);
/// An element of an f32 matrix.
double at(const Tensor&, std::int64_t row, std::int64_t column);
/// What distances [heads, 2 * reach + 1] add to the score of a query and a key, which are places of a text
/// or, with columns, of a grid; see AttentionShape.
double score_of_distance(const Tensor& distances, int head, std::int64_t query, std::int64_t key,
                         int columns);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0
// The rows of the table of operations for activation functions and gates.
#include "op_cases.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace gloss {
const std::vector<ActivationFunction> kActivationFunctions = {
    {"relu", Activation::relu, [](double v) { return std::max(v, 0.0); }},
    {"gelu", Activation::gelu,
     [](double v) { return 0.5 * v * (1 + std::tanh(0.7978845608028654 * (v + 0.044715 * v * v * v))); }},
    {"gelu_exact", Activation::gelu_exact, [](double v) { return 0.5 * v * std::erfc(-v / std::sqrt(2.0)); }},
    {"swish", Activation::swish, [](double v) { return v * logistic(v); }},
    {"sigmoid", Activation::sigmoid, logistic}};

std::vector<OpCase> activation_op_cases() {
  std::vector<OpCase> all{{"scale",
                           {{30, 21}},
                           1,
                           [](const Inputs& in) { return scale(in[0], 0.5f); },
                           [](const Inputs& in) {
                             std::vector<double> y;
                             for (const float v : in[0].values()) y.push_back(0.5 * static_cast<double>(v));
                             return y;
                           }}};
  for (const ActivationFunction& function : kActivationFunctions) {
    const std::string name = function.name;
    const Activation activation = function.activation;
    const auto definition = function.definition;
    all.push_back({concat("activate_", name),
                   {{300, 21}},
                   1,
                   [=](const Inputs& in) { return activate(in[0], activation, {}); },
                   [=](const Inputs& in) {
                     std::vector<double> y;
                     for (const float v : in[0].values()) y.push_back(definition(static_cast<double>(v)));
                     return y;
                   }});
    all.push_back({concat("activate_dropout_", name),
                   {{5, 37}},
                   1,
                   [=](const Inputs& in) { return activate(in[0], activation, kDrop); },
                   nullptr});
    all.push_back({concat("gate_", name),
                   {{40, 42}},
                   1,
                   [=](const Inputs& in) { return gate(in[0], activation, {}); },
                   [=](const Inputs& in) {
                     std::vector<double> y;
                     for (std::int64_t r = 0; r < 40; ++r) {
                       for (std::int64_t c = 0; c < 21; ++c) {
                         y.push_back(definition(at(in[0], r, c)) * at(in[0], r, 21 + c));
                       }
                     }
                     return y;
                   }});
    all.push_back({concat("gate_dropout_", name),
                   {{5, 74}},
                   1,
                   [=](const Inputs& in) { return gate(in[0], activation, kDrop); },
                   nullptr});
  }
  all.push_back({"one_tensor_activated_and_gated",
                 {{5, 38}},
                 1,
                 [](const Inputs& in) {
                   const Tensor y = activate(in[0], Activation::swish, {});
                   return gate(add_dropout(in[0], y, {}), Activation::gelu, {});
                 },
                 nullptr});
  return all;
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0
// Every operation against central differences (its gradient), a naive loop (its values), and bf16 against
// f32.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "base/index.h"
#include "model/kernels/kernels.h"
#include "model/tensor/can_multiply.h"
#include "op_cases.h"

namespace gloss {
namespace {

/// The elements of a tensor of either type as f32.
std::vector<float> numbers(const Tensor& tensor) {
  std::vector<float> all;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    if (tensor.dtype() == DType::f32) {
      all.push_back(tensor.data()[i]);
    } else {
      all.push_back(std::bit_cast<float>(std::uint32_t(tensor.data_as<Bf16>()[i].bits) << 16));
    }
  }
  return all;
}

/// The same values in another type.
Tensor converted(const Tensor& tensor, DType type) {
  const std::vector<float> all = numbers(tensor);
  if (type == DType::f32) return Tensor::of(tensor.shape(), all);
  Tensor made = Tensor::uninitialised(tensor.shape(), type);
  kernels().narrow(all.data(), made.data_as<Bf16>(), tensor.count());
  return made;
}

float weight_of(std::size_t i) { return static_cast<float>(std::sin(1.7 * static_cast<double>(i) + 0.3)); }

/// A weighted sum of the output, with different weights for all elements, so that errors do not cancel.
double weighted_sum(const Tensor& y) {
  const std::vector<float> all = numbers(y);
  double total = 0;
  for (std::size_t i = 0; i < all.size(); ++i) total += static_cast<double>(all[i]) * weight_of(i);
  return total;
}

Tensor weighted_loss(const Tensor& y) {
  const auto value = static_cast<float>(weighted_sum(y));
  return record(Tensor::of({1}, std::span(&value, 1)), {y},
                [](const Tensor& gradient, std::span<const Tensor> of) {
                  std::vector<float> dy;
                  for (std::size_t i = 0; i < index(of[0].count()); ++i) {
                    dy.push_back(gradient.data()[0] * weight_of(i));
                  }
                  of[0].hand_gradient(converted(Tensor::of(of[0].shape(), dy), of[0].dtype()));
                });
}

double typical(std::span<const float> values) {
  double squares = 0;
  for (const float v : values) squares += static_cast<double>(v) * v;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

std::vector<OpCase> cases_with_naive_loops() {
  std::vector<OpCase> all = op_cases();
  std::erase_if(all, [](const OpCase& c) { return !c.naive; });
  return all;
}

class OperationValues : public testing::TestWithParam<OpCase> {};
class OperationGradient : public testing::TestWithParam<OpCase> {};

TEST_P(OperationValues, EqualANaiveLoop) {
  Random random(7);
  Inputs inputs;
  for (const Shape& shape : GetParam().shapes) inputs.push_back(random_tensor(shape, random));
  const Tensor y = GetParam().operation(inputs);
  const std::vector<double> expected = GetParam().naive(inputs);
  ASSERT_EQ(y.count(), static_cast<std::int64_t>(expected.size()));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(y.values()[i], expected[i], 2e-5 * (1 + std::abs(expected[i]))) << "at " << i;
  }
}

TEST_P(OperationGradient, EqualsCentralDifferences) {
  Random random(11);
  Inputs inputs;
  for (const Shape& shape : GetParam().shapes) {
    inputs.push_back(random_tensor(shape, random));
    inputs.back().want_gradient(Tensor::zeros(shape));
  }
  const Tensor made = GetParam().operation(inputs);
  const double middle = weighted_sum(made);
  backward(weighted_loss(made));
  constexpr float kStep = 0.01f;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    const Tensor& x = inputs[k];
    const double size = typical(x.gradient().values());
    EXPECT_GT(size, 0) << "input " << k << " gets no gradient";
    const std::int64_t stride = std::max<std::int64_t>(1, x.count() / 150);
    int tried = 0, bends = 0;
    for (std::int64_t i = 0; i < x.count(); i += stride, ++tried) {
      const float before = x.data()[i];
      x.data()[i] = before + kStep;
      const double more = weighted_sum(GetParam().operation(inputs));
      x.data()[i] = before - kStep;
      const double less = weighted_sum(GetParam().operation(inputs));
      x.data()[i] = before;
      // If ReLU switches between the two points, the sum has a kink and no gradient.
      if (std::abs(more + less - 2 * middle) > 0.3 * kStep * kStep &&
          GetParam().name.find("relu") != std::string::npos) {
        ++bends;
        continue;
      }
      ASSERT_NEAR(x.gradient().data()[i], (more - less) / (2 * kStep), 0.02 * size + 2e-3)
          << "input " << k << " number " << i;
    }
    EXPECT_GE(tried - bends, std::min(10, tried)) << "input " << k << ": numbers compared of " << tried;
  }
}

class OperationInBf16 : public testing::TestWithParam<OpCase> {};

/// Inputs with gradients: activations of the given type, and parameters, with bf16 copies if it is bf16.
struct Prepared {
  Inputs inputs;
  std::vector<Tensor> copies;
};

Prepared prepared(const OpCase& operation, DType type) {
  Random random(17);
  Prepared made;
  for (std::size_t i = 0; i < operation.shapes.size(); ++i) {
    // Values that are exact in both types.
    Tensor x = converted(converted(random_tensor(operation.shapes[i], random), DType::bf16), DType::f32);
    if (static_cast<int>(i) < operation.activations) {
      x = converted(x, type);
    } else if (type == DType::bf16) {
      made.copies.push_back(converted(x, type));
      x.bind_copy(made.copies.back().data_as<Bf16>());
    }
    x.want_gradient(Tensor::zeros(x.shape(), x.dtype()));
    made.inputs.push_back(x);
  }
  return made;
}

void expect_near(std::span<const float> values, std::span<const float> expected, int steps,
                 const std::string& what) {
  ASSERT_EQ(values.size(), expected.size());
  const double size = steps * typical(expected);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_NEAR(values[i], expected[i], 0.03 * size + 0.015 * std::abs(expected[i])) << what << " at " << i;
  }
}

TEST_P(OperationInBf16, EqualsItselfInF32WithinRounding) {
  if (!can_multiply(DType::bf16)) GTEST_SKIP() << "bf16 cannot be multiplied";
  const Prepared exact = prepared(GetParam(), DType::f32), rounded = prepared(GetParam(), DType::bf16);
  const Tensor expected = GetParam().operation(exact.inputs), y = GetParam().operation(rounded.inputs);
  EXPECT_EQ(y.dtype(), y.count() == 1 || GetParam().wide ? DType::f32 : DType::bf16);
  expect_near(numbers(y), numbers(expected), GetParam().steps, "values");
  backward(weighted_loss(expected));
  backward(weighted_loss(y));
  for (std::size_t k = 0; k < exact.inputs.size(); ++k) {
    expect_near(numbers(rounded.inputs[k].gradient()), numbers(exact.inputs[k].gradient()), GetParam().steps,
                concat("gradient of input ", k));
  }
}

TEST(LinearRelu, PassesOnNaN) {
  const OpCase operation{"", {{3, 40}, {37, 40}, {37}}, 1, nullptr, nullptr};
  for (const DType type : {DType::f32, DType::bf16}) {
    if (!can_multiply(type)) continue;
    for (const std::size_t wrong : {0, 1, 2}) {  // x, weight, bias
      const Prepared made = prepared(operation, type);
      const Inputs& in = made.inputs;
      const Tensor place = wrong == 1 ? in[1].as(type) : in[wrong];
      const float nan = std::nanf("");
      if (place.dtype() == DType::f32) {
        place.data()[0] = nan;
      } else {
        kernels().narrow(&nan, place.data_as<Bf16>(), 1);
      }
      const std::vector<float> y = numbers(linear_relu(in[0], in[1], in[2], {}));
      // A number of the input is in every result of its row, one of the weight or bias in its column.
      for (std::size_t i = 0; i < y.size(); ++i) {
        const bool reached = wrong == 0 ? i < 37 : i % 37 == 0;
        ASSERT_EQ(std::isnan(y[i]), reached) << name_of(type) << ", input " << wrong << ", result " << i;
      }
    }
  }
}

constexpr auto kNameOfCase = [](const auto& test) { return test.param.name; };
INSTANTIATE_TEST_SUITE_P(All, OperationValues, testing::ValuesIn(cases_with_naive_loops()), kNameOfCase);
INSTANTIATE_TEST_SUITE_P(All, OperationInBf16, testing::ValuesIn(op_cases()), kNameOfCase);
INSTANTIATE_TEST_SUITE_P(All, OperationGradient, testing::ValuesIn(op_cases()), kNameOfCase);

}  // namespace
}  // namespace gloss

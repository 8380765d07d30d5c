// SPDX-License-Identifier: Apache-2.0
// The example of a layer.
#include "tests/extending/residual_linear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace gloss {
namespace {

constexpr std::int64_t kRows = 3, kWidth = 5;

std::vector<float> normal_numbers(std::int64_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(static_cast<float>(random.normal()));
  return numbers;
}

/// The parameters of the layer and a loss: the cross-entropy of its rows with one token each.
struct TrainedLayer {
  TrainedLayer() {
    Random random(3);
    parameters.initialise(random);
    parameters.keep_gradients();
  }
  Tensor loss() const {
    const std::vector<float> numbers = normal_numbers(kRows * kWidth, 5);
    const Tensor y = layer(Tensor::of({kRows, kWidth}, numbers), DropoutMask{});
    const std::vector<float> table = normal_numbers(4 * kWidth, 7);
    const std::vector<std::int32_t> targets{2, 0, 3};
    return softmax_cross_entropy(y, {Tensor::of({4, kWidth}, table)}, targets, {}).sum;
  }
  Parameters parameters;
  ResidualLinear layer{parameters, "example", kWidth};
};

TEST(Extending, ALayerNamesItsParameters) {
  const TrainedLayer trained;
  std::vector<std::string> names;
  for (const Parameters::Entry& entry : trained.parameters.entries()) names.push_back(entry.name);
  EXPECT_EQ(names, (std::vector<std::string>{"example.norm.weight", "example.norm.bias",
                                             "example.linear.weight", "example.linear.bias"}));
}

TEST(Extending, TheGradientOfALayerEqualsCentralDifferences) {
  TrainedLayer trained;
  backward(trained.loss());
  constexpr float kStep = 0.01f;
  for (const Parameters::Entry& entry : trained.parameters.entries()) {
    for (std::int64_t i = 0; i < entry.tensor.count(); ++i) {
      float& value = entry.tensor.data()[i];
      const float before = value;
      value = before + kStep;
      const double more = trained.loss().data()[0];
      value = before - kStep;
      const double less = trained.loss().data()[0];
      value = before;
      EXPECT_NEAR(entry.tensor.gradient().data()[i], (more - less) / (2 * kStep), 2e-3)
          << entry.name << " number " << i;
    }
  }
}

}  // namespace
}  // namespace gloss

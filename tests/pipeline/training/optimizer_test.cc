// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "pipeline/training/flat_arrays.h"

namespace gloss {
namespace {

/// Adam as written in the paper, in double, for one weight.
struct PaperAdam {
  OptimizerSettings settings;
  double m = 0, v = 0;
  int t = 0;
  double step(double weight, double gradient, double rate) {
    ++t;
    m = settings.beta1 * m + (1 - settings.beta1) * gradient;
    v = settings.beta2 * v + (1 - settings.beta2) * gradient * gradient;
    const double m_hat = m / (1 - std::pow(settings.beta1, t)), v_hat = v / (1 - std::pow(settings.beta2, t));
    return weight - rate * settings.weight_decay * weight -
           rate * m_hat / (std::sqrt(v_hat) + settings.epsilon);
  }
};

/// An optimizer of one parameter.
Optimizer optimizer_of(std::size_t size, const OptimizerSettings& settings = {}) {
  return Optimizer(settings, {{"weights", Shape{static_cast<std::int64_t>(size)}, 0, size}});
}

TEST(Optimizer, FollowsThePaper) {
  const OptimizerSettings settings{
      .beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-3, .weight_decay = 0.1, .clip_norm = 0};
  WorkerThreads workers(1);
  Optimizer optimizer = optimizer_of(2, settings);
  std::vector<float> weights{1.0f, -2.0f};
  PaperAdam first{settings}, second{settings};
  double a = 1.0, b = -2.0;
  for (const double rate : {0.1, 0.05, 0.2}) {
    const std::vector<float> gradients{static_cast<float>(4 * a), static_cast<float>(-2 * b)};
    const double norm = optimizer.gradient_norm(gradients, 0.5, workers);
    EXPECT_NEAR(norm, std::hypot(2 * a, b), 1e-5);
    optimizer.step(weights, gradients, {0.5, norm, rate}, workers);
    a = first.step(a, 2 * a, rate);
    b = second.step(b, -b, rate);
    EXPECT_NEAR(weights[0], a, 1e-5);
    EXPECT_NEAR(weights[1], b, 1e-5);
  }
  EXPECT_EQ(optimizer.steps(), 3);
}

TEST(Optimizer, ClipsTheNormOfTheMeanGradient) {
  const OptimizerSettings settings{.clip_norm = 1};
  WorkerThreads workers(1);
  Optimizer clipped = optimizer_of(2, settings), small = optimizer_of(2, settings);
  std::vector<float> weights{0, 0}, expected{0, 0};
  const std::vector<float> gradients{30, 40};
  const double norm = clipped.gradient_norm(gradients, 0.1, workers);
  EXPECT_DOUBLE_EQ(norm, 5);
  clipped.step(weights, gradients, {0.1, norm, 0.01}, workers);
  small.step(expected, std::vector<float>{0.6f, 0.8f}, {1, 1, 0.01}, workers);
  EXPECT_NEAR(clipped.moments()[0].first[0], small.moments()[0].first[0], 1e-7);
  EXPECT_NEAR(clipped.moments()[0].second[1], small.moments()[0].second[1], 1e-7);
}

TEST(Optimizer, PartsHaveTheirOwnLearningRates) {
  WorkerThreads workers(1);
  const std::vector<WeightRange> ranges{
      {"a", Shape{16}, 0, 16}, {"b", Shape{16}, 16, 32}, {"c", Shape{16}, 32, 48}};
  const OptimizerSettings usual{.weight_decay = 0.1},
      settings{.weight_decay = 0.1, .learning_rates = {"b=0.25"}};
  Optimizer parts(settings, ranges), alike(usual, ranges), slow(usual, ranges);
  std::vector<float> weights(48, 0.5f), expected = weights, slower = weights, gradients(48, 0.01f);
  for (int step = 0; step < 3; ++step) {
    parts.step(weights, gradients, {1, 0.07, 0.08}, workers);
    alike.step(expected, gradients, {1, 0.07, 0.08}, workers);
    slow.step(slower, gradients, {1, 0.07, 0.02}, workers);
  }
  for (std::size_t i = 0; i < 48; ++i) EXPECT_EQ(weights[i], (i / 16 == 1 ? slower : expected)[i]) << i;
  EXPECT_THROW(Optimizer({.learning_rates = {"d=2"}}, ranges), UsageError);
}

TEST(Optimizer, LeavesOtherRangesUnchanged) {
  WorkerThreads workers(1);
  const OptimizerSettings settings{.weight_decay = 0.1, .clip_norm = 1};
  Optimizer part(settings, {{"b", Shape{16}, 16, 32}, {"c", Shape{8}, 32, 48}, {"e", Shape{16}, 64, 80}});
  EXPECT_EQ(part.moments().size(), 3u);
  EXPECT_EQ(part.moments()[1].first.size(), 8u);
  std::vector<float> weights(80, 0.5f), gradients(80, 1e6f), learned(48, 0.5f);
  for (const std::size_t i : {16u, 40u, 79u}) gradients[i] = 2.0f;
  for (std::size_t i = 17; i < 48; ++i) gradients[i] = i == 40 ? 2.0f : 0.0f;
  for (std::size_t i = 64; i < 79; ++i) gradients[i] = 0.0f;
  const double norm = part.gradient_norm(gradients, 1, workers);
  EXPECT_DOUBLE_EQ(norm, std::sqrt(12.0)) << "of learned parameters only";
  part.step(weights, gradients, {1, norm, 0.01}, workers);

  Optimizer whole = optimizer_of(48, settings);  // the same gradients without the gap
  std::vector<float> same(48, 0.0f);
  for (const std::size_t i : {0u, 24u, 47u}) same[i] = 2.0f;
  whole.step(learned, same, {1, norm, 0.01}, workers);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const bool frozen = i < 16 || (i >= 48 && i < 64);
    ASSERT_EQ(weights[i], frozen ? 0.5f : learned[i < 48 ? i - 16 : i - 32]) << i;
  }
}

TEST(FlatArrays, DoNotDependOnTheNumberOfThreads) {
  constexpr std::size_t kSize = 500'003;
  Random random(7);
  std::vector<float> gradients(kSize);
  for (float& value : gradients) value = static_cast<float>(random.normal());
  std::vector<float> weights[2];
  double squares[2];
  for (const int run : {0, 1}) {
    WorkerThreads workers(run == 0 ? 1 : 3);
    squares[run] = sum_of_squares(gradients, workers);
    weights[run].assign(kSize, 0.5f);
    Optimizer optimizer = optimizer_of(kSize);
    optimizer.step(weights[run], gradients, {1, optimizer.gradient_norm(gradients, 1, workers), 0.1},
                   workers);
  }
  EXPECT_EQ(squares[0], squares[1]);
  EXPECT_EQ(weights[0], weights[1]);
  double expected = 0;
  for (const float value : gradients) expected += static_cast<double>(value) * value;
  EXPECT_NEAR(squares[0] / expected, 1, 1e-6);
}

}  // namespace
}  // namespace gloss

#include "pipeline/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"
#include "pipeline/flat_arrays.h"

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

TEST(Optimizer, FollowsThePaper) {
  const OptimizerSettings settings{
      .beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-3, .weight_decay = 0.1, .clip_norm = 0};
  WorkerThreads workers(1);
  Optimizer optimizer(settings, 2);
  std::vector<float> weights{1.0f, -2.0f};
  PaperAdam first{settings}, second{settings};
  double a = 1.0, b = -2.0;
  for (const double rate : {0.1, 0.05, 0.2}) {
    const std::vector<float> gradients{static_cast<float>(4 * a), static_cast<float>(-2 * b)};
    const StepFigures figures = optimizer.step(weights, gradients, 0.5, rate, workers);
    EXPECT_NEAR(figures.gradient_norm, std::hypot(2 * a, b), 1e-5);
    a = first.step(a, 2 * a, rate);
    b = second.step(b, -b, rate);
    EXPECT_NEAR(weights[0], a, 1e-5);
    EXPECT_NEAR(weights[1], b, 1e-5);
  }
  EXPECT_EQ(optimizer.steps(), 3);
}

TEST(Optimizer, ClipsTheNormOfTheMeanGradient) {
  OptimizerSettings settings{.clip_norm = 1};
  WorkerThreads workers(1);
  Optimizer clipped(settings, 2), small(settings, 2);
  std::vector<float> weights{0, 0}, expected{0, 0};
  EXPECT_DOUBLE_EQ(clipped.step(weights, std::vector<float>{30, 40}, 0.1, 0.01, workers).gradient_norm, 5);
  small.step(expected, std::vector<float>{0.6f, 0.8f}, 1, 0.01, workers);
  EXPECT_NEAR(clipped.first_moments()[0], small.first_moments()[0], 1e-7);
  EXPECT_NEAR(clipped.second_moments()[1], small.second_moments()[1], 1e-7);
}

TEST(Optimizer, LeavesEverythingAsItWasIfTheGradientIsNotFinite) {
  WorkerThreads workers(1);
  Optimizer optimizer({}, 2);
  std::vector<float> weights{1, 2};
  for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
    EXPECT_TRUE(optimizer.step(weights, std::vector<float>{1, bad}, 1, 0.1, workers).skipped);
  }
  EXPECT_EQ(weights, (std::vector<float>{1, 2}));
  EXPECT_EQ(optimizer.steps(), 0);
  EXPECT_EQ(optimizer.first_moments()[0], 0);
}

TEST(FlatArrays, DoNotDependOnTheNumberOfThreads) {
  constexpr std::size_t kSize = 500'003;
  Random random(7);
  std::vector<float> gradients(kSize), more(kSize);
  for (float& value : gradients) value = static_cast<float>(random.normal());
  for (float& value : more) value = static_cast<float>(random.normal());
  std::vector<float> weights[2], sums[2];
  double squares[2];
  for (const int run : {0, 1}) {
    WorkerThreads workers(run == 0 ? 1 : 3);
    sums[run] = gradients;
    const std::vector<std::span<float>> others{more, more};
    add_arrays(sums[run], others, workers);
    squares[run] = sum_of_squares(sums[run], workers);
    weights[run].assign(kSize, 0.5f);
    Optimizer optimizer({}, kSize);
    optimizer.step(weights[run], sums[run], 1, 0.1, workers);
  }
  EXPECT_EQ(sums[0], sums[1]);
  EXPECT_EQ(squares[0], squares[1]);
  EXPECT_EQ(weights[0], weights[1]);
  double expected = 0;
  for (std::size_t i = 0; i < kSize; ++i) {
    ASSERT_EQ(sums[0][i], gradients[i] + more[i] + more[i]);
    expected += static_cast<double>(sums[0][i]) * sums[0][i];
  }
  EXPECT_NEAR(squares[0] / expected, 1, 1e-6);
}

}  // namespace
}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/divergence.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.h"

namespace gloss {
namespace {

TEST(RecentLogarithms, ArePlainMeanAndVarianceAtFirst) {
  RecentLogarithms recent;
  recent.add(std::exp(1.0), 1);
  recent.add(std::exp(3.0), 0.5);
  recent.add(std::exp(8.0), 1.0 / 3);
  EXPECT_NEAR(recent.mean, 4, 1e-12);
  EXPECT_NEAR(recent.variance, 26.0 / 3, 1e-12);
  recent.add(0, 0.5);  // no logarithm, but no infinity either
  EXPECT_TRUE(std::isfinite(recent.mean));
}

/// The statistics after `steps` steps of a training whose figures vary by factors of up to e ^ `spread`.
DivergenceState after(int steps, double spread, const DivergenceSettings& settings) {
  Random random(3);
  DivergenceState state;
  for (int i = 0; i < steps; ++i) {
    const UpdateFigures figures{3 * std::exp(spread * random.normal() / 3),
                                0.5 * std::exp(spread * random.normal())};
    EXPECT_FALSE(divergence(settings, state, figures)) << "step " << i;
    add_step(state, settings, figures);
  }
  return state;
}

TEST(Divergence, IsALossOrGradientThatIsNotFinite) {
  const DivergenceSettings settings;
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(divergence(settings, {}, {1, std::nan("")}), "its gradient is not a finite number");
  EXPECT_EQ(divergence(settings, {}, {1, infinity}), "its gradient is not a finite number");
  EXPECT_EQ(divergence(settings, {}, {std::nan(""), 1}), "its loss is not a finite number");
  EXPECT_EQ(divergence(settings, {}, {infinity, 1}), "its loss is not a finite number");
  EXPECT_FALSE(divergence(settings, {}, {1, 1}));
}

TEST(Divergence, IsNotFoundInAHealthyTraining) {
  for (const double spread : {0.0, 0.05, 0.3, 1.0}) after(20'000, spread, {});
}

TEST(Divergence, IsASpike) {
  const DivergenceSettings settings;
  const DivergenceState state = after(500, 0.2, settings);
  EXPECT_FALSE(divergence(settings, state, {3, 2}));
  const auto norm = divergence(settings, state, {3, 50});
  ASSERT_TRUE(norm);
  EXPECT_TRUE(norm->starts_with("its gradient norm of 50.0000 is ")) << *norm;
  EXPECT_NE(norm->find(" times its recent mean"), std::string::npos) << *norm;
  const auto loss = divergence(settings, state, {9, 0.5});
  ASSERT_TRUE(loss);
  EXPECT_TRUE(loss->starts_with("its loss of 9.0000 is ")) << *loss;
}

TEST(Divergence, NeedsPreviousStepsAndCanBeSwitchedOff) {
  DivergenceSettings settings;
  EXPECT_FALSE(divergence(settings, after(settings.spike_horizon - 1, 0.2, settings), {29, 5000}));
  EXPECT_TRUE(divergence(settings, after(settings.spike_horizon, 0.2, settings), {300, 5000}));
  settings.spike_deviations = 0;
  EXPECT_FALSE(divergence(settings, after(500, 0.2, settings), {300, 5000}));
}

TEST(Divergence, IsFoundFromTheBeginning) {
  const DivergenceSettings settings;
  DivergenceState state;
  EXPECT_FALSE(divergence(settings, state, {4e11, 1})) << "nothing to compare with";
  double loss = 8;
  for (; loss < 1e6; loss *= 1.5) {
    if (divergence(settings, state, {loss, 1})) break;
    add_step(state, settings, {loss, 1});
  }
  EXPECT_LT(loss, 2000);
  EXPECT_FALSE(divergence(settings, after(50, 0.2, settings), {29, 5000}));
  EXPECT_TRUE(divergence(settings, after(50, 0.2, settings), {100, 0.5}));
  const DivergenceSettings off{.spike_deviations = 0};
  EXPECT_FALSE(divergence(off, after(50, 0.2, off), {100, 0.5}));
}

TEST(Divergence, ForgetsOldSteps) {
  const DivergenceSettings settings{.spike_horizon = 10};
  DivergenceState state = after(100, 0.2, settings);
  for (int i = 0; i < 200; ++i) add_step(state, settings, {0.3, 0.01});
  EXPECT_FALSE(divergence(settings, state, {0.3, 0.04}));
  EXPECT_TRUE(divergence(settings, state, {0.3, 0.5})) << "as usual at first";
}

}  // namespace
}  // namespace gloss

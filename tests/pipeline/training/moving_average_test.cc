// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/moving_average.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace gloss {
namespace {

TEST(MovingAverage, FollowsASeriesComputedByHand) {
  WorkerThreads workers(1);
  std::vector<float> weights{0, 11};
  MovingAverage average({.ema_decay = 0.5}, weights, workers);
  weights = {22, 0};
  average.follow(1);  // 2/11 of the past
  EXPECT_FLOAT_EQ(average.other()[0], 18);
  EXPECT_FLOAT_EQ(average.other()[1], 2);
  weights = {6, 4};
  average.follow(2);  // 3/12
  EXPECT_FLOAT_EQ(average.other()[0], 9);
  EXPECT_FLOAT_EQ(average.other()[1], 3.5f);
  weights = {1, 0};
  average.follow(100);  // 101/110, but at most 0.5
  EXPECT_FLOAT_EQ(average.other()[0], 5);
  EXPECT_FLOAT_EQ(average.other()[1], 1.75f);
}

TEST(MovingAverage, SwapsWithTheWeights) {
  WorkerThreads workers(1);
  std::vector<float> weights{1, 2};
  MovingAverage average({.ema_decay = 0.9}, weights, workers);
  weights = {12, 2};
  average.follow(1);
  {
    const AverageInUse in_use(average);
    EXPECT_FLOAT_EQ(weights[0], 10);
    EXPECT_EQ(average.other()[0], 12);
  }
  EXPECT_EQ(weights, (std::vector<float>{12, 2}));
}

TEST(MovingAverage, IsEmptyIfSwitchedOff) {
  WorkerThreads workers(1);
  std::vector<float> weights{1, 2};
  MovingAverage none({}, weights, workers);
  none.follow(1);
  none.exchange();
  EXPECT_TRUE(none.other().empty());
  EXPECT_EQ(weights, (std::vector<float>{1, 2}));
}

TEST(MovingAverage, DoesNotDependOnTheNumberOfThreads) {
  constexpr std::size_t kSize = 300'001;
  std::vector<float> results[2];
  for (const int run : {0, 1}) {
    WorkerThreads workers(run == 0 ? 1 : 3);
    std::vector<float> weights(kSize);
    for (std::size_t i = 0; i < kSize; ++i) weights[i] = static_cast<float>(i % 1013) / 7;
    MovingAverage average({.ema_decay = 0.99}, weights, workers);
    std::reverse(weights.begin(), weights.end());
    average.follow(3);
    average.exchange();
    results[run] = weights;
  }
  EXPECT_EQ(results[0], results[1]);
}

}  // namespace
}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/time_forecast.h"

#include <gtest/gtest.h>

namespace gloss {
namespace {

struct TimeForecastTest : testing::Test {
  /// Adds `count` updates of half a second, each with 100 tokens and a hundredth of an epoch, and half a
  /// second of other work after each.
  void learn(int count) {
    for (int i = 0; i < count; ++i) {
      now.updates += 1;
      now.epochs += 0.01;
      now.tokens += 100;
      now.seconds += 1;
      forecast.add(now, 0.5);
    }
  }
  std::vector<std::string> options() const {
    std::vector<std::string> options;
    for (const LimitForecast& limit : forecast.limits()) options.push_back(limit.option);
    return options;
  }

  TrainingSettings settings{.max_updates = 0};
  BatchSettings batches;
  TimeForecast forecast{settings, batches};
  TrainingPoint now;
};

TEST_F(TimeForecastTest, DoesNotMeasureTheFirstUpdates) {
  for (const double slow : {100.0, 50.0}) {
    now.updates += 1;
    now.seconds += slow;
    forecast.add(now, slow);
  }
  settings.max_updates = 102;
  EXPECT_EQ(forecast.seconds_left(), -1);
  learn(4);
  EXPECT_EQ(forecast.seconds_per_update(), 0.5);
  EXPECT_NEAR(forecast.seconds_left(), 96, 1e-9) << "102 - 6 updates of one second, including other work";
}

TEST_F(TimeForecastTest, IsDueOnceAfterEnoughUpdatesOrTime) {
  int due = 0;
  for (int update = 1; update <= 30; ++update) {
    learn(1);
    if (!forecast.due()) continue;
    ++due;
    EXPECT_EQ(update, 12);
  }
  EXPECT_EQ(due, 1);
  TimeForecast slow(settings, batches);
  for (int update = 1; update <= 3; ++update) {
    EXPECT_FALSE(slow.due());
    slow.add(now, 60);
  }
  EXPECT_TRUE(slow.due());
}

TEST_F(TimeForecastTest, SortsTheLimitsByTheirTime) {
  settings.max_updates = 1000;
  settings.max_epochs = 3;
  settings.max_tokens = 50'000;
  settings.max_minutes = 10;
  learn(100);
  EXPECT_EQ(options(), (std::vector<std::string>{"--max-epochs 3", "--max-tokens 50000", "--max-minutes 10",
                                                 "--max-updates 1000"}));
  const std::vector<LimitForecast> limits = forecast.limits();
  const std::vector<double> expected{200, 400, 500, 900};
  for (std::size_t i = 0; i < limits.size(); ++i) EXPECT_NEAR(limits[i].seconds, expected[i], 1e-6);
  EXPECT_NEAR(forecast.seconds_left(), 200, 1e-6);
}

TEST_F(TimeForecastTest, CountsFromThePointWhereATrainingContinues) {
  settings.max_updates = 1000;
  settings.max_minutes = 60;
  now = {.updates = 500, .epochs = 5, .tokens = 50'000, .seconds = 3000};
  learn(12);
  const std::vector<LimitForecast> limits = forecast.limits();
  ASSERT_EQ(limits.size(), 2u);
  EXPECT_NEAR(limits[0].seconds, 488, 1e-6);
  EXPECT_NEAR(limits[1].seconds, 588, 1e-6) << "earlier runs took 3000 of 3600 seconds";
}

TEST_F(TimeForecastTest, ExpectsMoreOfUpdatesWithMoreBatches) {
  batches = {.accumulation = 3, .accumulation_ramp = 200};
  settings.max_updates = 1000;
  learn(100);
  EXPECT_NEAR(forecast.seconds_left(), 100 * 2 + 800 * 3, 1e-6) << "an update with one batch takes a second";
}

TEST_F(TimeForecastTest, KnowsTheTimeLimitFromTheStart) {
  EXPECT_EQ(forecast.seconds_left(), -1);
  settings.max_minutes = 2;
  learn(1);
  EXPECT_NEAR(forecast.seconds_left(), 119, 1e-9);
}

TEST_F(TimeForecastTest, GivesTheCostInOneLine) {
  settings.max_updates = 612;
  settings.max_minutes = 10;
  learn(12);
  const std::string text = cost_text(forecast, 1234.4);
  for (const char* part : {"0.50 s per update", "1234 MiB", "--max-updates 612", "10 min 0 s",
                           "--max-minutes 10", "9 min 48 s"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << ": " << text;
  }
  EXPECT_LT(text.find("--max-minutes"), text.find("--max-updates")) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(cost_text(forecast, 0).find("MiB"), std::string::npos) << "unknown memory is left out";
}

}  // namespace
}  // namespace gloss

#include "pipeline/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace gloss {
namespace {

ScheduleSettings schedule(Decay decay, int warmup) {
  return {.learning_rate = 0.8, .warmup_updates = warmup, .decay = decay};
}

TEST(Schedule, ClimbsInAStraightLineDuringWarmup) {
  for (const Decay decay : {Decay::inverse_sqrt, Decay::linear, Decay::cosine, Decay::constant}) {
    EXPECT_DOUBLE_EQ(learning_rate(schedule(decay, 10), 1, 100), 0.08);
    EXPECT_DOUBLE_EQ(learning_rate(schedule(decay, 10), 5, 100), 0.4);
    EXPECT_DOUBLE_EQ(learning_rate(schedule(decay, 10), 10, 100), 0.8);
  }
}

TEST(Schedule, InverseSquareRootHalvesWhenUpdatesAreFourTimesTheWarmup) {
  EXPECT_DOUBLE_EQ(learning_rate(schedule(Decay::inverse_sqrt, 10), 40, 0), 0.4);
  EXPECT_DOUBLE_EQ(learning_rate(schedule(Decay::inverse_sqrt, 0), 1, 0), 0.8);
  EXPECT_DOUBLE_EQ(learning_rate(schedule(Decay::inverse_sqrt, 0), 16, 0), 0.2);
}

TEST(Schedule, LinearAndCosineReachZeroJustAfterTheEnd) {
  EXPECT_DOUBLE_EQ(learning_rate(schedule(Decay::linear, 0), 50, 99), 0.4);
  EXPECT_DOUBLE_EQ(learning_rate(schedule(Decay::linear, 9), 99, 99), 0.8 / 91);
  EXPECT_NEAR(learning_rate(schedule(Decay::cosine, 0), 50, 99), 0.4, 1e-12);
  EXPECT_NEAR(learning_rate(schedule(Decay::cosine, 0), 25, 99), 0.4 * (1 + std::sqrt(0.5)), 1e-12);
  EXPECT_GT(learning_rate(schedule(Decay::cosine, 0), 99, 99), 0);
}

TEST(Schedule, ConstantStays) { EXPECT_DOUBLE_EQ(learning_rate(schedule(Decay::constant, 3), 1000, 0), 0.8); }

TEST(Schedule, RefusesAnEndThatIsMissingOrWithinTheWarmup) {
  EXPECT_THROW(check(schedule(Decay::linear, 10), 0), UsageError);
  EXPECT_THROW(check(schedule(Decay::cosine, 10), 10), UsageError);
  EXPECT_NO_THROW(check(schedule(Decay::cosine, 10), 11));
  EXPECT_NO_THROW(check(schedule(Decay::inverse_sqrt, 10), 0));
}

}  // namespace
}  // namespace gloss

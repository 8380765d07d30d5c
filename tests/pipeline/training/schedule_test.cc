// SPDX-License-Identifier: Apache-2.0

#include "pipeline/training/schedule.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace gloss {
namespace {

ScheduleSettings schedule(Decay decay, int warmup) {
  return {.learning_rate = 0.8, .warmup_updates = warmup, .decay = decay};
}

TEST(Schedule, RisesLinearlyDuringWarmup) {
  for (const Decay decay :
       {Decay::inverse_sqrt, Decay::linear, Decay::cosine, Decay::constant, Decay::cooldown}) {
    EXPECT_DOUBLE_EQ(learning_rate(schedule(decay, 10), 1, 0), 0.08);
    EXPECT_DOUBLE_EQ(learning_rate(schedule(decay, 10), 5, 0), 0.4);
    EXPECT_DOUBLE_EQ(learning_rate(schedule(decay, 10), 10, 0), 0.8);
  }
}

TEST(Schedule, InverseSquareRootHalvesWhenUpdatesAreFourTimesTheWarmup) {
  EXPECT_DOUBLE_EQ(learning_rate(schedule(Decay::inverse_sqrt, 10), 40, 0), 0.4);
  EXPECT_DOUBLE_EQ(learning_rate(schedule(Decay::inverse_sqrt, 0), 1, 0), 0.8);
  EXPECT_DOUBLE_EQ(learning_rate(schedule(Decay::inverse_sqrt, 0), 16, 0), 0.2);
}

TEST(Schedule, LinearAndCosineFallToZero) {
  EXPECT_DOUBLE_EQ(learning_rate(schedule(Decay::linear, 0), 50, 0.5), 0.4);
  EXPECT_DOUBLE_EQ(learning_rate(schedule(Decay::linear, 9), 99, 0.875), 0.1);
  EXPECT_DOUBLE_EQ(learning_rate(schedule(Decay::linear, 9), 99, 1), 0);
  EXPECT_NEAR(learning_rate(schedule(Decay::cosine, 0), 50, 0.5), 0.4, 1e-12);
  EXPECT_NEAR(learning_rate(schedule(Decay::cosine, 0), 25, 0.25), 0.4 * (1 + std::sqrt(0.5)), 1e-12);
  EXPECT_NEAR(learning_rate(schedule(Decay::cosine, 0), 25, 1), 0, 1e-12);
}

TEST(Schedule, CooldownStaysAndThenFallsToZero) {
  ScheduleSettings settings = schedule(Decay::cooldown, 3);
  settings.cooldown = 0.25;
  EXPECT_DOUBLE_EQ(learning_rate(settings, 2, 0), 0.8 * 2 / 3);
  EXPECT_DOUBLE_EQ(learning_rate(settings, 50, 0.4), 0.8);
  EXPECT_DOUBLE_EQ(learning_rate(settings, 75, 0.75), 0.8);
  EXPECT_DOUBLE_EQ(learning_rate(settings, 90, 0.875), 0.4);
  EXPECT_DOUBLE_EQ(learning_rate(settings, 100, 1), 0);
}

TEST(Schedule, ConstantStays) { EXPECT_DOUBLE_EQ(learning_rate(schedule(Decay::constant, 3), 1000, 0), 0.8); }

const Given kAll = [](const void*) { return true; };

/// The message of a check if only one of the settings was given.
std::string refusal(const ScheduleSettings& settings, std::int64_t max_updates, const void* given) {
  try {
    check(settings, true, max_updates, [given](const void* member) { return member == given; });
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Schedule, DefaultsAreNotBlamed) {
  ScheduleSettings settings = schedule(Decay::cooldown, 10);
  settings.cooldown = 0.05;
  EXPECT_TRUE(refusal(settings, 5, &settings.warmup_updates).starts_with("--warmup-updates 10"));
  EXPECT_TRUE(refusal(settings, 5, nullptr).starts_with("--max-updates 5"));
  EXPECT_TRUE(refusal(settings, 29, &settings.cooldown).starts_with("--cooldown 0.05"));
  EXPECT_TRUE(refusal(settings, 29, nullptr).starts_with("--max-updates 29"));
}

TEST(Schedule, RefusesAnEndThatIsMissingOrWithinTheWarmup) {
  EXPECT_THROW(check(schedule(Decay::linear, 10), false, 0, kAll), UsageError);
  EXPECT_NO_THROW(check(schedule(Decay::linear, 10), true, 0, kAll));
  EXPECT_THROW(check(schedule(Decay::cosine, 10), true, 10, kAll), UsageError);
  EXPECT_THROW(check(schedule(Decay::cooldown, 10), false, 0, kAll), UsageError);
  EXPECT_NO_THROW(check(schedule(Decay::cosine, 10), true, 11, kAll));
  EXPECT_NO_THROW(check(schedule(Decay::inverse_sqrt, 10), false, 0, kAll));
  ScheduleSettings brief = schedule(Decay::cooldown, 10);
  brief.cooldown = 0.05;
  EXPECT_THROW(check(brief, true, 29, kAll), UsageError) << "less than one update";
  EXPECT_NO_THROW(check(brief, true, 30, kAll));
}

}  // namespace
}  // namespace gloss

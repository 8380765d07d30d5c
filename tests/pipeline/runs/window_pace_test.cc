// SPDX-License-Identifier: Apache-2.0

#include "pipeline/runs/window_pace.h"

#include <gtest/gtest.h>

namespace gloss {
namespace {

using std::chrono::duration;

TEST(WindowPace, BeginsWithFewItems) {
  EXPECT_LE(WindowPace({}).limits().items, 16u);
  EXPECT_EQ(WindowPace({.items = 7}).limits().items, 7u);
  EXPECT_EQ(WindowPace({.bytes = 9}).limits().bytes, 9u);
}

TEST(WindowPace, ReachesTwoSecondsOrTheLimitInAFewWindows) {
  for (const std::size_t per_second : {300u, 2'000u, 1'000'000u}) {
    WindowPace pace({});
    for (int window = 0; window < 6; ++window) {
      const std::size_t items = pace.limits().items;
      pace.add(items, duration<double>(static_cast<double>(items) / static_cast<double>(per_second)));
    }
    EXPECT_EQ(pace.limits().items, std::min<std::size_t>(2 * per_second, 8192));
  }
}

TEST(WindowPace, IsNotMisledByAShortWindow) {
  WindowPace pace({});
  pace.add(1, duration<double>(1e-9));
  EXPECT_LE(pace.limits().items, 128u);
  pace.add(200, duration<double>(1e-9));
  EXPECT_LE(pace.limits().items, 800u);
}

TEST(WindowPace, KeepsEnoughItemsForBatches) {
  WindowPace pace({});
  pace.add(1000, duration<double>(3600));
  EXPECT_EQ(pace.limits().items, 128u);
}

}  // namespace
}  // namespace gloss

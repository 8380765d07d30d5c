// SPDX-License-Identifier: Apache-2.0

#include "base/duration.h"

#include <gtest/gtest.h>

namespace gloss {
namespace {

TEST(Duration, HasTheTwoLargestUnits) {
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1 min 0 s");
  EXPECT_EQ(duration_text(3599), "59 min 59 s");
  EXPECT_EQ(duration_text(3 * 3600 + 5 * 60 + 59), "3 h 5 min");
  EXPECT_EQ(duration_text(47 * 3600), "47 h 0 min");
  EXPECT_EQ(duration_text(55 * 3600), "2 d 7 h");
}

}  // namespace
}  // namespace gloss

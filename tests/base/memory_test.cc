// SPDX-License-Identifier: Apache-2.0

#include "base/memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace gloss {
namespace {

TEST(Memory, GrowsWithWhatIsInUse) {
  const double before = resident_mebibytes();
  ASSERT_GT(before, 0);
  const std::vector<char> used(256 << 20, 'x');
  EXPECT_NEAR(resident_mebibytes() - before, 256, 64) << used.back();
}

}  // namespace
}  // namespace gloss

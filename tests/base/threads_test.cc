// SPDX-License-Identifier: Apache-2.0

#include "base/threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace gloss {
namespace {

TEST(Threads, ThereIsAlwaysOne) {
  EXPECT_EQ(startable_threads(1), 1);
  EXPECT_EQ(startable_threads(3), 3);
}

TEST(OrderedParallel, KeepsTheOrderAndBoundsTheItemsInProgress) {
  for (const int threads : {1, 2, 5}) {
    int given = 0, written = 0;
    std::atomic<int> under_way{0}, most{0};
    ordered_parallel<int, int>(
        threads, 3,
        [&](int& item) {
          item = given++;
          const int now = ++under_way;
          if (now > most) most = now;
          return item < 500;
        },
        [](int& item, int) {
          if (item % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
          return item * 2;
        },
        [&](int& result) {
          EXPECT_EQ(result, 2 * written++);
          --under_way;
        });
    EXPECT_EQ(written, 500);
    EXPECT_LE(most, threads + 3 + 1);
  }
}

TEST(OrderedParallel, AnExceptionAnywhereStopsAllThreadsAndIsRethrown) {
  for (const int where : {0, 1, 2}) {
    int given = 0;
    const auto run = [&] {
      ordered_parallel<int, int>(
          3, 2,
          [&](int& item) {
            item = given++;
            if (where == 0 && item == 50) throw std::runtime_error("source");
            return true;
          },
          [&](int& item, int) {
            if (where == 1 && item == 50) throw std::runtime_error("work");
            return item;
          },
          [&](int& result) {
            if (where == 2 && result == 50) throw std::runtime_error("sink");
          });
    };
    EXPECT_THROW(run(), std::runtime_error);
  }
}

}  // namespace
}  // namespace gloss

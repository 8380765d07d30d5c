// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

#include "base/error.h"

namespace gloss {

/// Lets `writers` threads call `open` at the same time, which throws Error if another writer has the output.
/// When all have tried, calls `write` with each output that was opened. Returns their number.
int winners_of_race(int writers, const auto& open, const auto& write) {
  std::atomic<int> winners = 0;
  std::barrier start(writers), all_tried(writers);
  std::vector<std::thread> threads;
  for (int i = 0; i < writers; ++i) {
    threads.emplace_back([&] {
      start.arrive_and_wait();
      decltype(open()) output;
      try {
        output = open();
        ++winners;
      } catch (const Error&) {
      }
      all_tried.arrive_and_wait();  // the winner still has the output
      if (output) write(*output);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return winners;
}

/// The same, with outputs that are left as they are.
int winners_of_race(int writers, const auto& open) {
  return winners_of_race(writers, open, [](const auto&) {});
}

}  // namespace gloss

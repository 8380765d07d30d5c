// SPDX-License-Identifier: Apache-2.0

#include "pipeline/runs/stream_report.h"

#include <gtest/gtest.h>

#include <chrono>

#include "pipeline/reading/input_stream.h"

namespace gloss {
namespace {

/// A hundred lines, whose number is not known.
struct HundredLines : StreamOrigin {
  std::string place(std::int64_t) const override { return "text"; }
  double share(std::int64_t items) const override { return static_cast<double>(items) / 100; }
};

struct LastProgress : Listener {
  void progress(const Progress& progress) override { last = progress; }
  Progress last;
};

TEST(StreamReport, LinesOfAnEarlierRunTakeNoTime) {
  const HundredLines origin;
  LastProgress listener;
  StreamReport report(origin, listener);
  report.skip(50);
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  while (std::chrono::steady_clock::now() < end) continue;
  const double before = report.seconds();
  report.advance(10);
  EXPECT_DOUBLE_EQ(listener.last.share, 0.6);
  EXPECT_GE(listener.last.seconds_left, 3.99 * before) << "40 lines are left, 10 took the time so far";
}

}  // namespace
}  // namespace gloss

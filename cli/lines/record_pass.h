// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/threads.h"
#include "pipeline/records/two_passes.h"
#include "pipeline/runs/answer_stream.h"
#include "pipeline/runs/stream_report.h"

namespace gloss {

/// The first pass over a corpus: calls `work` with each record and its number, counted from 1, on several
/// threads, and `take` with the results in the order of the records.
template <class Result>
void for_each_record(TwoPasses& records, int threads, StreamReport& report,
                     const std::function<Result(const PairRecord&, std::int64_t number)>& work,
                     const std::function<void(Result&)>& take) {
  constexpr WindowLimits kLimits{.items = 1024, .bytes = 1 << 18};
  constexpr int kWaiting = 4;
  std::int64_t taken = 0;
  ordered_parallel<Window<PairRecord>, std::vector<Result>>(
      threads, kWaiting,
      [&](Window<PairRecord>& window) {
        window = {taken, next_window(records, kLimits)};
        taken += std::ssize(window.items);
        return !window.items.empty();
      },
      [&](Window<PairRecord>& window, int) {
        std::vector<Result> results;
        results.reserve(window.items.size());
        for (const PairRecord& record : window.items) {
          results.push_back(work(record, window.first + std::ssize(results) + 1));
        }
        return results;
      },
      [&](std::vector<Result>& results) {
        for (Result& result : results) take(result);
        report.advance(static_cast<int>(results.size()));
      });
  report.finish();
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/search/parallel_search.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "base/index.h"
#include "base/rounding.h"
#include "base/threads.h"
#include "model/tensor/operation_threads.h"

namespace gloss {
Fields fields_of(SearchBatchSettings& settings) {
  Fields fields{
      {"batch_size", &settings.batch_size, "maximum number of lines per batch", {1, 100'000}},
      {"batch_tokens",
       &settings.batch_tokens,
       "maximum number of source tokens per batch; batches affect speed and memory, not the output",
       {1, 10'000'000}},
  };
  add_traits(fields, kFreeOnResume, settings.batch_size, settings.batch_tokens);
  return fields;
}

namespace {

/// All row numbers, sorted by length, the longest first.
std::vector<int> by_length(const TokenRows& rows) {
  std::vector<int> order(index(rows.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rows.length(a) > rows.length(b); });
  return order;
}

/// Maximum number of rows per batch such that every worker gets about the same number of rows.
int largest_batch(int rows, const SearchBatchSettings& settings, int workers) {
  return std::max(1, std::min(settings.batch_size, ceil_div(rows, workers)));
}

/// Maximum number of rows per batch, limited by the memory for the scores of their hypotheses; larger batches
/// would not be faster.
int most_rows(const SearchSettings& settings) {
  constexpr int kMostHypotheses = 1024;
  return std::max(1, kMostHypotheses / hypotheses_of_row(settings));
}

/// A queue of rows that wait for a place in a worker's batch, the longest first.
class WaitingRows {
 public:
  /// A batch has at most `most_rows` rows, even if the settings allow more.
  WaitingRows(const SearchInput& rows, const SearchBatchSettings& settings, int workers, int most_rows)
      : rows_(rows),
        order_(by_length(rows.sources)),
        most_rows_(std::min(most_rows, largest_batch(rows.sources.rows(), settings, workers))),
        most_tokens_(settings.batch_tokens) {}

  /// The rows that enter a batch next. A batch is refilled only when a quarter of it is free, because
  /// encoding few rows at a time is slow.
  RunningSearches::NewRows take(const RunningSearches& batch) {
    RunningSearches::NewRows taken;
    int free = most_rows_ - batch.rows(), tokens = batch.source_tokens();
    if (4 * free < most_rows_) return taken;
    const std::lock_guard lock(guard_);
    for (; free > 0 && next_ < order_.size(); ++next_, --free) {
      const int row = order_[next_];
      tokens += rows_.sources.length(row);
      const bool alone = batch.rows() == 0 && taken.numbers.empty();
      if (tokens > most_tokens_ && !alone) break;
      taken.add(rows_, row);
    }
    return taken;
  }
  /// Empties the queue.
  void close() {
    const std::lock_guard lock(guard_);
    next_ = order_.size();
  }

 private:
  const SearchInput& rows_;
  const std::vector<int> order_;
  const int most_rows_, most_tokens_;
  std::mutex guard_;
  std::size_t next_ = 0;
};

}  // namespace

std::vector<std::vector<int>> search_batches(const TokenRows& rows, const SearchBatchSettings& settings,
                                             int workers) {
  const auto most = index(largest_batch(rows.rows(), settings, workers));
  std::vector<std::vector<int>> batches;
  int tokens = 0;
  for (const int row : by_length(rows)) {
    tokens += rows.length(row);
    if (batches.empty() || batches.back().size() == most || tokens > settings.batch_tokens) {
      batches.emplace_back();
      tokens = rows.length(row);
    }
    batches.back().push_back(row);
  }
  return batches;
}

void search_in_batches(const Decoder& decoder, const SearchInput& rows, const SearchSettings& settings,
                       const TokenRules& rules, const SearchBatchSettings& batch_settings, int threads,
                       const RunningSearches::Found& found, const std::function<void(int rows)>& finished) {
  const TokenRules all_rules = with_rules_of(settings, rules);
  const int workers = std::max(1, std::min(threads, rows.sources.rows()));
  WaitingRows waiting(rows, batch_settings, workers, most_rows(settings));
  std::mutex telling;
  const auto work = [&] {
    const SingleThreaded alone;
    RunningSearches batch(decoder, settings, all_rules, rows.drafter);
    while (true) {
      batch.add(waiting.take(batch));
      if (batch.rows() == 0) return;
      int done = 0;
      batch.step([&](int row, std::vector<Hypothesis> hypotheses) {
        found(row, std::move(hypotheses));
        ++done;
      });
      if (done == 0) continue;
      const std::lock_guard lock(telling);
      finished(done);
    }
  };
  run_workers(workers, [&](int) {
    try {
      work();
    } catch (...) {
      waiting.close();
      throw;
    }
  });
}

}  // namespace gloss

#include "pipeline/batched_search.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "base/rounding.h"
#include "base/threads.h"
#include "model/tensor/threads.h"

namespace gloss {
Fields fields_of(SearchBatchSettings& settings) {
  return {
      {"batch_size", &settings.batch_size, "lines translated together, at most", {1, 100'000}},
      {"batch_tokens",
       &settings.batch_tokens,
       "source tokens translated together, at most; the output does not depend on either",
       {1, 10'000'000}},
  };
}

namespace {

/// The numbers of all rows, the longest first.
std::vector<int> by_length(const TokenRows& rows) {
  std::vector<int> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rows.length(a) > rows.length(b); });
  return order;
}

/// At most so many rows are together that each worker gets about its share.
int largest_batch(int rows, const SearchBatchSettings& settings, int workers) {
  return std::max(1, std::min(settings.batch_size, ceil_div(rows, workers)));
}

/// Memory for their scores bounds how many hypotheses a batch has; more would not make it faster.
int most_rows(const SearchSettings& settings) {
  constexpr int kMostHypotheses = 1024;
  return std::max(1, kMostHypotheses / hypotheses_of_row(settings));
}

/// Rows that wait for a place in a worker's batch, the longest first.
class WaitingRows {
 public:
  /// At most `most_rows` are in a batch, whatever the settings.
  WaitingRows(const SearchRows& rows, const SearchBatchSettings& settings, int workers, int most_rows)
      : rows_(rows),
        order_(by_length(rows.sources)),
        most_rows_(std::min(most_rows, largest_batch(rows.sources.rows(), settings, workers))),
        most_tokens_(settings.batch_tokens) {}

  /// What comes into a batch next. A batch waits until a quarter of it is free: a few rows would be encoded
  /// slowly.
  SearchBatch::NewRows take(const SearchBatch& batch) {
    SearchBatch::NewRows taken;
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
  /// Nobody gets any more.
  void close() {
    const std::lock_guard lock(guard_);
    next_ = order_.size();
  }

 private:
  const SearchRows& rows_;
  const std::vector<int> order_;
  const int most_rows_, most_tokens_;
  std::mutex guard_;
  std::size_t next_ = 0;
};

}  // namespace

std::vector<std::vector<int>> search_batches(const TokenRows& rows, const SearchBatchSettings& settings,
                                             int workers) {
  const auto most = static_cast<std::size_t>(largest_batch(rows.rows(), settings, workers));
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

void search_in_batches(const Decoder& decoder, const SearchRows& rows, const SearchSettings& settings,
                       const TokenRules& rules, const SearchBatchSettings& batch_settings, int threads,
                       const SearchBatch::Found& found, const std::function<void(int rows)>& finished) {
  const TokenRules all_rules = with_rules_of(settings, rules);
  const int workers = std::max(1, std::min(threads, rows.sources.rows()));
  WaitingRows waiting(rows, batch_settings, workers, most_rows(settings));
  std::mutex telling;
  const auto work = [&] {
    const SingleThreaded alone;
    SearchBatch batch(decoder, settings, all_rules);
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

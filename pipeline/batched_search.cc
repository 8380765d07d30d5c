#include "pipeline/batched_search.h"

#include <algorithm>
#include <mutex>
#include <numeric>

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

std::vector<std::vector<int>> search_batches(const TokenRows& rows, const SearchBatchSettings& settings,
                                             int workers) {
  std::vector<int> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rows.length(a) > rows.length(b); });
  const int share = (rows.rows() + workers - 1) / workers;
  const auto most = static_cast<std::size_t>(std::max(1, std::min(settings.batch_size, share)));

  std::vector<std::vector<int>> batches;
  int tokens = 0;
  for (const int row : order) {
    tokens += rows.length(row);
    if (batches.empty() || batches.back().size() == most || tokens > settings.batch_tokens) {
      batches.emplace_back();
      tokens = rows.length(row);
    }
    batches.back().push_back(row);
  }
  return batches;
}

std::vector<std::vector<Hypothesis>> search_in_batches(const Decoder& decoder, const SearchRows& rows,
                                                       const SearchSettings& settings,
                                                       const TokenRules& rules,
                                                       const SearchBatchSettings& batch_settings, int threads,
                                                       const std::function<void(int rows)>& finished) {
  std::vector<std::vector<Hypothesis>> results(static_cast<std::size_t>(rows.sources.rows()));
  const auto batches = search_batches(rows.sources, batch_settings, threads);
  std::mutex telling;
  for_each_item(threads, static_cast<std::int64_t>(batches.size()), [&](std::int64_t number) {
    const std::vector<int>& batch = batches[static_cast<std::size_t>(number)];
    const SingleThreaded alone;
    SearchRows together;
    for (const int row : batch) {
      together.sources.add(rows.sources.row(row));
      together.demands.push_back(rows.demands_of(row));
    }
    auto found = search(decoder, together, settings, rules);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      results[static_cast<std::size_t>(batch[i])] = std::move(found[i]);
    }
    const std::lock_guard lock(telling);
    finished(static_cast<int>(batch.size()));
  });
  return results;
}

}  // namespace gloss

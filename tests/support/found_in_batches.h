// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "base/index.h"
#include "pipeline/search/parallel_search.h"

namespace gloss {

/// The results of search_in_batches in the order of the rows.
inline std::vector<std::vector<Hypothesis>> found_in_batches(
    const Decoder& decoder, const SearchInput& rows, const SearchSettings& settings,
    const SearchBatchSettings& batches, int threads,
    const std::function<void(int rows)>& finished = [](int) {}, const TokenRules& rules = {}) {
  std::vector<std::vector<Hypothesis>> all(index(rows.sources.rows()));
  const auto take = [&](int row, std::vector<Hypothesis> found) { all[index(row)] = std::move(found); };
  search_in_batches(decoder, rows, settings, rules, batches, threads, take, finished);
  return all;
}

/// The same on one thread in as few batches as possible.
inline std::vector<std::vector<Hypothesis>> search_all(const Decoder& decoder, const SearchInput& rows,
                                                       const SearchSettings& settings,
                                                       const TokenRules& rules = {}) {
  return found_in_batches(
      decoder, rows, settings, {.batch_size = 100'000, .batch_tokens = 10'000'000}, 1, [](int) {}, rules);
}

}  // namespace gloss

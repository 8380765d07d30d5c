#pragma once

#include <vector>

#include "pipeline/batched_search.h"

namespace gloss {

/// What search_in_batches finds, in the order of the rows.
inline std::vector<std::vector<Hypothesis>> found_in_batches(
    const Decoder& decoder, const SearchRows& rows, const SearchSettings& settings,
    const SearchBatchSettings& batches, int threads,
    const std::function<void(int rows)>& finished = [](int) {}) {
  std::vector<std::vector<Hypothesis>> all(static_cast<std::size_t>(rows.sources.rows()));
  const auto take = [&](int row, std::vector<Hypothesis> found) {
    all[static_cast<std::size_t>(row)] = std::move(found);
  };
  search_in_batches(decoder, rows, settings, {}, batches, threads, take, finished);
  return all;
}

}  // namespace gloss

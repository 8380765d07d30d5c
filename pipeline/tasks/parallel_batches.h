// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pipeline/search/parallel_search.h"

namespace gloss {

/// Calls `answer` for batches of rows of similar length. Batches run in parallel, each on a single thread.
/// `answer` returns the number of newly finished items, which is passed to `finished`; calls of `finished`
/// never overlap.
void answer_in_batches(const TokenRows&, const SearchBatchSettings&, int threads,
                       const std::function<int(std::span<const int> batch)>& answer,
                       const std::function<void(int done)>& finished);

/// Prepares lines on all threads, then calls `answer` for batches of lines with rows of similar length.
/// `prepare` returns the row of a line, which must stay valid. Batches run in parallel, each on a single
/// thread. `finished` receives the number of newly finished lines; its calls never overlap.
void answer_in_batches(std::size_t lines, const SearchBatchSettings&, int threads,
                       const std::function<std::span<const TokenId>(std::size_t line)>& prepare,
                       const std::function<void(std::span<const int> batch)>& answer,
                       const std::function<void(int lines)>& finished);

/// A batch of rows and the numbers of their lines.
struct ReadTogether {
  TokenRows rows;
  std::vector<int> lines;
};
/// The same for lines that need only their row: `prepare` returns the row as a vector, and `answer` receives
/// the rows that are not empty.
void answer_rows(std::size_t lines, const SearchBatchSettings&, int threads,
                 const std::function<std::vector<TokenId>(std::size_t line)>& prepare,
                 const std::function<void(const ReadTogether&)>& answer,
                 const std::function<void(int lines)>& finished);

}  // namespace gloss

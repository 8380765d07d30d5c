#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "pipeline/batched_search.h"

namespace gloss {

/// What is told of every line that a network read.
struct LineRead {
  int tokens = 0;
  int left_out = 0;           ///< of these, which the model has no positions for
  std::int64_t replaced = 0;  ///< invalid UTF-8 sequences
};

/// Calls `answer` for batches of rows of similar length, on threads that each compute alone; it returns how
/// many more of what `finished` counts are done. That is told one call at a time.
void answer_in_batches(const TokenRows&, const SearchBatchSettings&, int threads,
                       const std::function<int(std::span<const int> batch)>& answer,
                       const std::function<void(int done)>& finished);

/// Makes lines ready on all threads: `prepare` gives the row of a line, which must stay. Then calls `answer`
/// for batches of lines whose rows are of similar length, on threads that each compute alone. `finished` is
/// told how many more lines are done, one call at a time.
void answer_in_batches(std::size_t lines, const SearchBatchSettings&, int threads,
                       const std::function<std::span<const TokenId>(std::size_t line)>& prepare,
                       const std::function<void(std::span<const int> batch)>& answer,
                       const std::function<void(int lines)>& finished);

/// Rows that are read together, and the lines they are of.
struct ReadTogether {
  TokenRows rows;
  std::vector<int> lines;
};
/// The same where a line is nothing but its row: `prepare` gives it as a vector, an empty one if the line is
/// not read at all, and `answer` is called for those that are.
void answer_rows(std::size_t lines, const SearchBatchSettings&, int threads,
                 const std::function<std::vector<TokenId>(std::size_t line)>& prepare,
                 const std::function<void(const ReadTogether&)>& answer,
                 const std::function<void(int lines)>& finished);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/tasks/parallel_batches.h"

#include <mutex>

#include "base/index.h"
#include "base/threads.h"
#include "model/tensor/operation_threads.h"

namespace gloss {

void answer_in_batches(const TokenRows& rows, const SearchBatchSettings& settings, int threads,
                       const std::function<int(std::span<const int> batch)>& answer,
                       const std::function<void(int done)>& finished) {
  const auto batches = search_batches(rows, settings, threads);
  std::mutex telling;
  for_each_item(threads, static_cast<std::int64_t>(batches.size()), [&](std::int64_t number) {
    const SingleThreaded alone;
    const int done = answer(batches[index(number)]);
    const std::lock_guard lock(telling);
    finished(done);
  });
}

void answer_in_batches(std::size_t lines, const SearchBatchSettings& settings, int threads,
                       const std::function<std::span<const TokenId>(std::size_t line)>& prepare,
                       const std::function<void(std::span<const int> batch)>& answer,
                       const std::function<void(int lines)>& finished) {
  std::vector<std::span<const TokenId>> prepared(lines);
  for_each_item(threads, static_cast<std::int64_t>(lines), [&](std::int64_t number) {
    const auto line = index(number);
    prepared[line] = prepare(line);
  });
  TokenRows rows;
  for (const std::span<const TokenId> row : prepared) rows.add(row);
  answer_in_batches(
      rows, settings, threads,
      [&](std::span<const int> batch) {
        answer(batch);
        return static_cast<int>(batch.size());
      },
      finished);
}

void answer_rows(std::size_t lines, const SearchBatchSettings& settings, int threads,
                 const std::function<std::vector<TokenId>(std::size_t line)>& prepare,
                 const std::function<void(const ReadTogether&)>& answer,
                 const std::function<void(int lines)>& finished) {
  std::vector<std::vector<TokenId>> rows(lines);
  answer_in_batches(
      lines, settings, threads,
      [&](std::size_t line) {
        rows[line] = prepare(line);
        return std::span<const TokenId>(rows[line]);
      },
      [&](std::span<const int> batch) {
        ReadTogether read;
        for (const int line : batch) {
          const std::vector<TokenId>& row = rows[index(line)];
          if (row.empty()) continue;
          read.rows.add(row);
          read.lines.push_back(line);
        }
        if (!read.lines.empty()) answer(read);
      },
      finished);
}

}  // namespace gloss

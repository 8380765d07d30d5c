// SPDX-License-Identifier: Apache-2.0

#include "model/networks/memory/memory_stories.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/index.h"

namespace gloss {
namespace {

/// The parts of a row between end tokens: its sentences, then the question.
std::vector<std::span<const TokenId>> parts_of(std::span<const TokenId> row, TokenId begin, TokenId end) {
  if (!row.empty() && row.front() == begin) row = row.subspan(1);
  if (!row.empty() && row.back() == end) row = row.first(row.size() - 1);
  std::vector<std::span<const TokenId>> parts;
  for (;;) {
    const auto length = index(std::ranges::find(row, end) - row.begin());
    parts.push_back(row.first(length));
    if (length == row.size()) return parts;
    row = row.subspan(length + 1);
  }
}

}  // namespace

MemoryStories::MemoryStories(const PackedRows& rows, TokenId begin, TokenId end, int memories_of_row)
    : memories(memories_of_row) {
  for (int row = 0; row < rows.sentences(); ++row) {
    const std::span<const TokenId> all(rows.tokens.data() + rows.start(row), index(rows.length(row)));
    const std::vector<std::span<const TokenId>> parts = parts_of(all, begin, end);
    const int sentences = static_cast<int>(parts.size()) - 1, first = std::max(0, sentences - memories);
    forgotten.push_back(first);
    for (int i = first; i < sentences; ++i) {
      const std::span<const TokenId> sentence = parts[index(i)];
      words.insert(words.end(), sentence.begin(), sentence.end());
      starts.push_back(static_cast<int>(words.size()));
      ages.push_back(sentences - 1 - i);
    }
    in_memory.push_back(sentences - first);
    starts.resize(starts.size() + index(memories - in_memory.back()), static_cast<int>(words.size()));
    ages.resize(starts.size() - 1, -1);
    asked.insert(asked.end(), parts.back().begin(), parts.back().end());
    questions.push_back(static_cast<int>(asked.size()));
  }
}

void MemoryStories::insert_empty(double share, Random& random) {
  for (int row = 0; row < rows(); ++row) {
    const int count = in_memory[index(row)];
    const auto limit = static_cast<std::uint64_t>(std::ceil(share * count));
    const int empty = static_cast<int>(random.below(limit + 1));
    if (empty == 0) continue;
    // The ages of the sentences are a random choice among those of all memories.
    std::vector<int> chosen(index(count + empty));
    std::iota(chosen.begin(), chosen.end(), 0);
    random.shuffle(chosen);
    chosen.resize(index(count));
    std::ranges::sort(chosen, std::greater());
    for (int i = 0; i < count; ++i) {
      ages[index(first_memory(row) + i)] = std::min(chosen[index(i)], memories - 1);
    }
  }
}

std::vector<AttentionSpan> MemoryStories::spans() const {
  std::vector<AttentionSpan> all;
  for (int row = 0; row < rows(); ++row) {
    all.push_back({row, 1, first_memory(row), memories});
  }
  return all;
}

}  // namespace gloss

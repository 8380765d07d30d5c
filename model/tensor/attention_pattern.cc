// SPDX-License-Identifier: Apache-2.0

#include "model/tensor/attention_pattern.h"

#include <algorithm>

#include "base/index.h"
#include "base/random.h"

namespace gloss {

void BlockLayout::add(std::int64_t first, std::int64_t last) {
  const auto from = static_cast<std::int32_t>(first), to = static_cast<std::int32_t>(last);
  const bool joins = std::ssize(ranges) > starts.back() && ranges.back().last == from;
  if (joins) {
    ranges.back().last = to;
  } else {
    ranges.push_back({from, to});
  }
}

void BlockLayout::see_all(std::int64_t rows) {
  block = rows;
  ranges = {{0, static_cast<std::int32_t>(rows)}};
  starts = {0, 1};
}

std::int64_t BlockLayout::pairs(std::int64_t rows) const {
  std::int64_t all = 0;
  for (std::size_t b = 0; b + 1 < starts.size(); ++b) {
    const std::int64_t queries = std::min(block, rows - static_cast<std::int64_t>(b) * block);
    for (int r = starts[b]; r < starts[b + 1]; ++r)
      all += queries * (ranges[index(r)].last - ranges[index(r)].first);
  }
  return rounds * all;
}

BlockedKeys BlockLayout::view() const {
  return {.block = block,
          .ranges = ranges.data(),
          .starts = starts.data(),
          .rounds = rounds,
          .order = order.empty() ? nullptr : order.data(),
          .labels = labels.empty() ? nullptr : labels.data(),
          .avoids_self = avoids_self};
}

std::vector<std::int64_t> BlockPattern::seen_blocks(std::int64_t block, std::int64_t blocks, int head) const {
  std::vector<std::int64_t> seen;
  const auto add = [&](std::int64_t b) {
    if (std::ranges::find(seen, b) != seen.end()) return false;
    seen.push_back(b);
    return true;
  };
  for (std::int64_t b = 0; b < sizes_.global; ++b) add(b);
  const std::int64_t last = std::min(blocks - 1, block + sizes_.window);
  for (std::int64_t b = std::max<std::int64_t>(0, block - sizes_.window); b <= last; ++b) add(b);
  Random random = Random(seed_).derive(static_cast<std::uint64_t>(head)).derive(index(block));
  for (std::int64_t chosen = 0; chosen < sizes_.random;)
    chosen += add(static_cast<std::int64_t>(random.below(index(blocks)))) ? 1 : 0;
  std::ranges::sort(seen);
  return seen;
}

BlockLayout BlockPattern::layout(std::int64_t, std::int64_t rows, int head) const {
  BlockLayout layout;
  const std::int64_t blocks = (rows + sizes_.block - 1) / sizes_.block;
  if (blocks <= sizes_.seen()) {
    layout.see_all(rows);
    return layout;
  }
  layout.block = sizes_.block;
  layout.starts = {0};
  for (std::int64_t block = 0; block < blocks; ++block) {
    if (block < sizes_.global) {
      layout.add(0, rows);
    } else {
      for (const std::int64_t seen : seen_blocks(block, blocks, head))
        layout.add(seen * sizes_.block, std::min(rows, (seen + 1) * sizes_.block));
    }
    layout.end_block();
  }
  return layout;
}

}  // namespace gloss

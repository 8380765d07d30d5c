// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

#include "model/kernels/block_attention.h"

namespace gloss {

/// Which keys the blocks of queries of a sentence see, see BlockedKeys.
struct BlockLayout {
  std::int64_t block = 1;
  std::vector<KeyRange> ranges;
  std::vector<std::int32_t> starts;  ///< of each block in the ranges, and their number
  std::int64_t rounds = 1;
  std::vector<std::int32_t> order, labels;  ///< [rounds, rows], or empty
  bool avoids_self = false;

  /// Shows the keys first .. last - 1, behind all earlier ones, to the current block of queries.
  void add(std::int64_t first, std::int64_t last);
  /// Goes on with the next block.
  void end_block() { starts.push_back(static_cast<std::int32_t>(ranges.size())); }
  /// As one block, in which every row sees all rows.
  void see_all(std::int64_t rows);
  /// The pairs of queries and keys, in all rounds.
  std::int64_t pairs(std::int64_t rows) const;
  /// Points into this layout.
  BlockedKeys view() const;
};

/// A pattern of sparse self-attention: a layout for each head and sentence.
class AttentionPattern {
 public:
  virtual ~AttentionPattern() = default;
  /// The layout for a head of the span with this number, of a sentence with `rows` rows.
  virtual BlockLayout layout(std::int64_t span, std::int64_t rows, int head) const = 0;
  /// The most rounds of a layout.
  virtual std::int64_t rounds() const { return 1; }
};

/// The blocks of block-sparse attention (BigBird, Zaheer et al. 2020): a block of queries sees the blocks at
/// most `window` blocks away, the first `global` blocks, which see all blocks, and `random` others.
struct BlockSizes {
  std::int64_t block;  ///< rows of a block
  std::int64_t window, global, random;

  /// The most blocks that a block sees which is not global.
  std::int64_t seen() const { return 2 * window + 1 + global + random; }
};

/// Block-sparse attention. The random blocks are a function of the seed, the head, the block and the number
/// of blocks. Sentences with no more blocks than a block sees are seen completely.
class BlockPattern : public AttentionPattern {
 public:
  BlockPattern(const BlockSizes& sizes, std::uint64_t seed) : sizes_(sizes), seed_(seed) {}
  BlockLayout layout(std::int64_t span, std::int64_t rows, int head) const override;

 private:
  /// The blocks that a block sees, in order.
  std::vector<std::int64_t> seen_blocks(std::int64_t block, std::int64_t blocks, int head) const;

  BlockSizes sizes_;
  std::uint64_t seed_;
};

}  // namespace gloss

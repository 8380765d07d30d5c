// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gloss {

/// The edits that turn a reference into a hypothesis.
struct EditCounts {
  int substitutions = 0, deletions = 0, insertions = 0;
  int all() const { return substitutions + deletions + insertions; }
};

/// Finds the least number of substitutions, deletions and insertions that turn a reference into a hypothesis
/// (Levenshtein 1966). Rows of the table of distances are symbols of the reference, columns those of the
/// hypothesis. 64 rows of a column are computed at once from the differences between neighbouring cells
/// (Myers 1999, Hyyrö 2003), and only the rows near the diagonal that few edits can reach (Ukkonen 1985): the
/// time is proportional to the length times the number of edits. Reuses its working memory.
class FewestEdits {
 public:
  using Symbols = std::span<const std::uint32_t>;

  /// The reference must remain valid until the next call. Its symbols are small numbers.
  void set_reference(Symbols reference);
  /// Of several ways with the fewest edits, the one that keeps or substitutes the last symbols if it can,
  /// else deletes the last one of the reference, and so on before them. Throws InputError if both texts are
  /// so long and so different that counting would take minutes.
  EditCounts count(Symbols hypothesis);

 private:
  /// The differences between 64 cells of a column and the cells above them: bits for 1 and for -1.
  struct Block {
    std::uint64_t positive = ~std::uint64_t{0}, negative = 0;
  };
  /// What the way back needs to know about 64 cells: bits of those that equal the cell before on the
  /// diagonal, and of those that exceed the cell above by 1.
  struct Steps {
    std::uint64_t zero, down;
  };
  /// The cells that paths of up to `edits` edits pass. Rows and columns count from 1.
  struct Band {
    std::int64_t rows, edits;
    std::int64_t lowest, highest;  // bounds of row - column
    Band(std::int64_t row_count, std::int64_t columns, std::int64_t most_edits);
    std::int64_t first_block(std::int64_t column) const;
    std::int64_t last_block(std::int64_t column) const;
    /// The maximum number of blocks in a column.
    std::size_t width() const;
  };
  /// The state after a column, to compute the columns after it again.
  struct Checkpoint {
    std::int64_t first_block;
    std::vector<Block> blocks;
  };

  std::int64_t distance(const Band& band);
  std::int64_t least_after(const Band& band, std::int64_t column) const;
  EditCounts way_back(const Band& band);
  void compute(const Band& band, std::int64_t begin, std::int64_t end, bool keep_steps);
  static Steps advance(Block& block, std::uint64_t equal, int& carry);
  const Steps& steps_at(const Band& band, std::int64_t column, std::int64_t row) const;

  Symbols reference_, hypothesis_;
  std::vector<std::uint32_t> starts_, places_;    // places in the reference, by symbol
  std::vector<int> frequent_;                     // by symbol: number of its row in `bits_`, or -1
  std::vector<std::vector<std::uint64_t>> bits_;  // of frequent symbols: bits of their places
  std::vector<Block> blocks_;                     // of the latest column
  int bottom_ = 0;                                // the last cell of the last block of that column
  std::int64_t segment_ = 0;                      // number of columns from one checkpoint to the next
  std::vector<Checkpoint> checkpoints_;
  std::vector<Steps> steps_;  // of the columns since `steps_begin_`
  std::int64_t steps_begin_ = 0;
};

}  // namespace gloss

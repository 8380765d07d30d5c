// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/index.h"
#include "model/tensor/ops.h"
#include "model/tensor/ops_recurrent.h"

namespace gloss {

/// The keys and values of an attention: either a packed tensor with the spans of its sentences (training,
/// encoder), or lists of rows, one list per query (decoding).
struct KeysValues {
  Tensor packed;  ///< [Tk, at least 2 widths]: keys and values are the last columns
  const std::vector<AttentionSpan>* spans = nullptr;  ///< of `packed`
  const KeyRows* rows = nullptr;                      ///< used if `packed` is empty
};

/// Slots of the earlier positions of each row being decoded, the same in all layers of the same reach.
/// Reordering rows reorders these lists only; keys and values never move. Rows with a common past share its
/// slots; unused slots are reused.
class Past {
 public:
  /// `reach`: number of positions that a position sees, itself included; earlier ones lose their slots. 0:
  /// all.
  explicit Past(int reach = 0) : reach_(reach) {}
  /// A position that a step adds.
  struct Position {
    int row;
    int before;  ///< number of earlier positions of the row, those of the same step included
  };

  int reach() const { return reach_; }
  int rows() const { return rows_; }
  /// Number of positions of row `row`.
  int length(int row) const { return slots_[index(row)].released + static_cast<int>(slots(row).size()); }
  /// The slots of the latest positions of a row: of all, or of those that later ones may see.
  const std::vector<int>& slots(int row) const { return slots_[index(row)].latest; }

  /// Appends this many rows without a past.
  void add_rows(int count);
  /// The next `advance` appends `counts[row]` positions to each row, not one.
  void take(std::span<const int> counts);
  /// Appends one position to every row, in a slot of its own.
  void advance();
  /// The positions that the latest call appended, row after row.
  std::span<const Position> latest() const { return latest_; }
  /// The slots that one of the latest positions sees: those before it and its own, which is the last.
  std::span<const int> seen_from(Position position) const;
  /// Removes the last `counts[row]` positions of each row; with a reach, of those that `advance` appended.
  void forget(std::span<const int> counts);
  void select(std::span<const int> rows);

 private:
  /// The slots of a row.
  struct Slots {
    int released = 0;  // positions whose slots the row has released
    std::vector<int> latest{};
  };
  void release(int slot) {
    if (--uses_[index(slot)] == 0) free_.push_back(slot);
  }
  /// Releases the slots that positions after the row's last do not see.
  void release_unseen(Slots& row);

  int reach_, rows_ = 0;
  std::vector<int> taken_;  // positions of each row that the next step appends; empty: one
  std::vector<Position> latest_;
  std::vector<Slots> slots_, selected_;  // of the rows; may be longer than `rows_` to keep memory
  std::vector<int> uses_;                // number of rows that use each slot
  std::vector<int> free_;
};

/// Which rows a row sees of those before it and itself while decoding, by their places in the sentence.
struct SeenRows {
  int stride = 1;  ///< those at distances that are multiples of it
  int block = 0;   ///< above 0, rows of a block: those of its own block, and
  int last = 0;    ///< this number of last rows of each block before it

  /// The first row, from `from` on, that the row at `place` sees; after `place` if there is none.
  int first(int from, int place) const;
};

/// The keys and values of one attention layer, or the rows or running sums of another mixer, in slots.
class History {
 public:
  /// The places of this step's running sums, each [width]: in the slots of the latest positions. Call
  /// `past.advance()` first. `before`: the sums before each row's past, of which the last counts; null: none.
  const std::vector<SumRow>& extend_sums(const Past& past, const KeyRows* before, std::int64_t width);
  /// Stores the last `columns` columns of `now`, a row for each latest position, in the slots of the
  /// positions, and returns the stored rows that each position sees, its own last. Call `past.advance()`
  /// first. `before`: rows seen before each row's past, at least as many as the past reaches; null: none.
  const KeyRows& extend(const Tensor& now, const Past& past, const KeyRows* before, std::int64_t columns,
                        const SeenRows& sees = {});

 private:
  /// Makes the block of a slot if it does not exist.
  void make_place(int slot, std::int64_t columns, DType dtype);
  char* place(int slot) const;

  int block_bits_ = 0;          // 2 to this power slots are in a block
  std::vector<Tensor> blocks_;  // [slots, columns] each
  KeyRows seen_;
  std::vector<SumRow> sums_;
};

}  // namespace gloss

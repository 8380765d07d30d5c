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

/// Slots of the earlier positions of each row being decoded, the same in all layers. Reordering rows reorders
/// these lists only; keys and values never move. Rows with a common past share its slots; unused slots are
/// reused.
class Past {
 public:
  /// A position that a step adds.
  struct Position {
    int row;
    int before;  ///< number of earlier positions of the row, those of the same step included
  };

  int rows() const { return rows_; }
  /// Number of positions of row `row`.
  int length(int row) const { return static_cast<int>(slots(row).size()); }
  const std::vector<int>& slots(int row) const { return slots_[index(row)]; }

  /// Appends this many rows without a past.
  void add_rows(int count);
  /// The next `advance` appends `counts[row]` positions to each row, not one.
  void take(std::span<const int> counts);
  /// Appends one position to every row, in a slot of its own.
  void advance();
  /// The positions that the latest call appended, row after row.
  std::span<const Position> latest() const { return latest_; }
  /// The slots that a position sees: those before it and its own, which is the last.
  std::span<const int> seen_from(Position position) const {
    return std::span(slots(position.row)).first(index(position.before) + 1);
  }
  /// Removes the last `counts[row]` positions of each row.
  void forget(std::span<const int> counts);
  void select(std::span<const int> rows);

 private:
  void release(int slot) {
    if (--uses_[index(slot)] == 0) free_.push_back(slot);
  }

  int rows_ = 0;
  std::vector<int> taken_;  // positions of each row that the next step appends; empty: one
  std::vector<Position> latest_;
  std::vector<std::vector<int>> slots_, selected_;  // of the rows; may be longer than `rows_` to keep memory
  std::vector<int> uses_;                           // number of rows that use each slot
  std::vector<int> free_;
};

/// The keys and values of one attention layer, or the running sums of a layer that replaces it, in slots.
class History {
 public:
  /// The places of this step's running sums, each [width]: in the slots of the latest positions. Call
  /// `past.advance()` first. `before`: the sums before each row's past, of which the last counts; null: none.
  const std::vector<SumRow>& extend_sums(const Past& past, const KeyRows* before, std::int64_t width);
  /// Stores this step's keys and values (the last columns of `now`, a row for each latest position) in the
  /// slots of the positions, and returns everything visible to each position, itself included. Call
  /// `past.advance()` first. `before`: keys visible before each row's past; null: none. `width`: of the keys,
  /// and of the values.
  KeysValues extend(const Tensor& now, const Past& past, const KeyRows* before, std::int64_t width);

 private:
  static constexpr int kBlockSlots = 256;
  std::vector<Tensor> blocks_;  // [kBlockSlots, 2 width] each, or sums
  KeyRows seen_;
  std::vector<SumRow> sums_;
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/index.h"

namespace gloss {

/// Edit operations on words.
enum class Edit : char { keep, substitute, insert, remove };

/// Edit distance between two texts, computed in a band around the diagonal as in Tercom and sacreBLEU. Keeps
/// the costs from the beginning and to the end, so that the cost of a change within the hypothesis needs only
/// the changed rows.
class EditDistance {
 public:
  using Words = std::span<const std::uint32_t>;

  /// Compares `hypothesis` with the non-empty `reference`; both must remain valid until the next call.
  void compare(Words hypothesis, Words reference);
  /// The minimum number of edits.
  int distance() const;
  /// The edits from the end to the beginning: `insert` for words only in the reference, `remove` for words
  /// only in the hypothesis.
  void trace_back(std::vector<Edit>& edits) const;
  /// The distance after replacing words of the hypothesis, starting at index `first`, by `changed`.
  int distance_with(std::size_t first, Words changed);

 private:
  static constexpr int kUnreachable = 1 << 29;
  int row_begin(std::size_t row) const { return begins_[row]; }
  std::size_t place(std::size_t row, int column) const {
    return row * stride_ + index(column - begins_[row] + 1);
  }
  void fill_row(const int* above, int above_begin, std::uint32_t word, std::size_t row, int* out) const;

  Words hypothesis_, reference_;
  std::size_t stride_ = 0;
  std::vector<int> begins_, ends_;       // first and end column of the band, by row
  std::vector<int> forward_, backward_;  // costs; each row is padded on both sides
  std::vector<int> rows_;                // two rows for `distance_with`
};

}  // namespace gloss

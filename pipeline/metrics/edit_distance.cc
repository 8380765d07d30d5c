// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/edit_distance.h"

#include <algorithm>
#include <cmath>

#include "base/index.h"

namespace gloss {

// Rows are hypothesis words, columns are reference words. In memory, a row starts one cell before its first
// column; cells outside the band are unreachable.

void EditDistance::compare(Words hypothesis, Words reference) {
  hypothesis_ = hypothesis;
  reference_ = reference;
  const std::size_t rows = hypothesis.size();
  const int columns = static_cast<int>(reference.size());
  const double ratio = rows == 0 ? 1 : static_cast<double>(columns) / static_cast<double>(rows);
  constexpr int kBeam = 25;
  const int beam = kBeam < ratio / 2 ? static_cast<int>(std::ceil(ratio / 2 + kBeam)) : kBeam;
  stride_ = index(std::min(columns + 1, 2 * beam + static_cast<int>(std::ceil(ratio)) + 4)) + 3;

  begins_.resize(rows + 1);
  ends_.resize(rows + 1);
  begins_[0] = 0;
  ends_[0] = std::min(columns + 1, static_cast<int>(stride_) - 2);
  for (std::size_t row = 1; row <= rows; ++row) {
    const int diagonal = static_cast<int>(std::floor(static_cast<double>(row) * ratio));
    begins_[row] = std::max(0, diagonal - beam);
    ends_[row] = row == rows ? columns + 1 : std::min(columns + 1, diagonal + beam);
  }

  forward_.assign((rows + 1) * stride_, kUnreachable);
  for (int column = 0; column < ends_[0]; ++column) forward_[place(0, column)] = column;
  for (std::size_t row = 1; row <= rows; ++row) {
    fill_row(&forward_[(row - 1) * stride_], begins_[row - 1], hypothesis[row - 1], row,
             &forward_[row * stride_]);
  }

  backward_.assign((rows + 1) * stride_, kUnreachable);
  for (std::size_t row = rows + 1; row-- > 1;) {
    for (int column = ends_[row] - 1; column >= begins_[row]; --column) {
      int best = row == rows && column == columns ? 0 : kUnreachable;
      if (column < columns) best = std::min(best, backward_[place(row, column + 1)] + 1);
      if (row < rows) {
        // The band never moves left from row to row, so the cell below can be outside only on the left.
        if (column >= begins_[row + 1]) best = std::min(best, backward_[place(row + 1, column)] + 1);
        if (column < columns && column + 1 >= begins_[row + 1]) {
          const int cost = hypothesis[row] == reference[index(column)] ? 0 : 1;
          best = std::min(best, backward_[place(row + 1, column + 1)] + cost);
        }
      }
      backward_[place(row, column)] = best;
    }
  }
}

void EditDistance::fill_row(const int* above, int above_begin, std::uint32_t word, std::size_t row,
                            int* out) const {
  const int begin = begins_[row], end = ends_[row];
  const int limit = static_cast<int>(stride_) + above_begin - 1;  // the row above is stored up to this column
  const int* upper = above + 1;
  int left = kUnreachable;
  for (int column = begin; column < end; ++column) {
    const int at = column - above_begin;
    int best = column < limit ? upper[at] + 1 : kUnreachable;
    if (column > 0 && column - 1 < limit) {
      const int cost = word == reference_[index(column - 1)] ? 0 : 1;
      best = std::min(best, upper[at - 1] + cost);
    }
    best = std::min({best, left + 1, kUnreachable});
    out[column - begin + 1] = left = best;
  }
}

int EditDistance::distance() const {
  return hypothesis_.empty() ? static_cast<int>(reference_.size())
                             : forward_[place(hypothesis_.size(), static_cast<int>(reference_.size()))];
}

void EditDistance::trace_back(std::vector<Edit>& edits) const {
  edits.clear();
  std::size_t row = hypothesis_.size();
  auto column = static_cast<int>(reference_.size());
  const auto cost = [&](std::size_t r, int c) {
    return c < begins_[r] || c >= ends_[r] ? kUnreachable : forward_[place(r, c)];
  };
  while (row > 0 || column > 0) {
    Edit edit = Edit::insert;
    if (column == 0) {
      edit = Edit::remove;
    } else if (row > 0) {
      // Among equal costs: keep or substitute, then remove, then insert.
      const bool same = hypothesis_[row - 1] == reference_[index(column - 1)];
      const int best = cost(row, column);
      if (cost(row - 1, column - 1) + (same ? 0 : 1) == best) {
        edit = same ? Edit::keep : Edit::substitute;
      } else if (cost(row - 1, column) + 1 == best) {
        edit = Edit::remove;
      }
    }
    edits.push_back(edit);
    if (edit != Edit::insert) --row;
    if (edit != Edit::remove) --column;
  }
}

int EditDistance::distance_with(std::size_t first, Words changed) {
  const std::size_t last = first + changed.size();
  rows_.resize(2 * stride_);
  const int* above = &forward_[first * stride_];
  int above_begin = begins_[first];
  for (std::size_t i = 0; i < changed.size(); ++i) {
    int* out = &rows_[(i % 2) * stride_];
    std::fill(out, out + stride_, kUnreachable);
    fill_row(above, above_begin, changed[i], first + i + 1, out);
    above = out;
    above_begin = begins_[first + i + 1];
  }
  const int* below = &backward_[last * stride_];
  int best = kUnreachable;
  for (int i = 1; i <= ends_[last] - begins_[last]; ++i) best = std::min(best, above[i] + below[i]);
  return best;
}

}  // namespace gloss

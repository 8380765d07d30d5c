#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gloss {

/// How a word of one text goes with one of the other.
enum class Edit : char { keep, substitute, insert, remove };

/// Fewest edits between two texts, looked for near the diagonal only, as Tercom and sacreBLEU do. The costs
/// from the beginning and to the end are both kept, so that a change in the middle of the hypothesis costs
/// only the rows that it touches.
class EditDistance {
 public:
  using Words = std::span<const std::uint32_t>;

  /// Compares `hypothesis` with `reference`; both must stay until the next call. The reference is not empty.
  void compare(Words hypothesis, Words reference);
  /// The fewest edits.
  int distance() const;
  /// The edits from the end to the beginning: insert is a word of the reference alone, remove one of the
  /// hypothesis alone.
  void trace_back(std::vector<Edit>& edits) const;
  /// The distance if the words of the hypothesis from `first` on were `changed`.
  int distance_with(std::size_t first, Words changed);

 private:
  static constexpr int kUnreachable = 1 << 29;
  int row_begin(std::size_t row) const { return begins_[row]; }
  std::size_t place(std::size_t row, int column) const {
    return row * stride_ + static_cast<std::size_t>(column - begins_[row] + 1);
  }
  void fill_row(const int* above, int above_begin, std::uint32_t word, std::size_t row, int* out) const;

  Words hypothesis_, reference_;
  std::size_t stride_ = 0;
  std::vector<int> begins_, ends_;       // of the columns looked at, by row
  std::vector<int> forward_, backward_;  // costs; each row has room on both sides
  std::vector<int> rows_;                // two rows for `distance_with`
};

}  // namespace gloss

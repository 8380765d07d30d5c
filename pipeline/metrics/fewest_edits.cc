// SPDX-License-Identifier: Apache-2.0

#include "pipeline/metrics/fewest_edits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/error.h"
#include "base/index.h"

namespace gloss {
namespace {

constexpr std::int64_t kBits = 64;

std::int64_t block_of(std::int64_t row) { return (row - 1) / kBits; }
std::uint64_t bit_of(std::int64_t row) { return std::uint64_t{1} << ((row - 1) % kBits); }

}  // namespace

// A path through a cell has at least |row - column| edits before it and as many after it as its diagonal is
// away from that of the end.
FewestEdits::Band::Band(std::int64_t row_count, std::int64_t columns, std::int64_t most_edits)
    : rows(row_count),
      edits(most_edits),
      lowest((row_count - columns - most_edits) / 2 - 1),
      highest((row_count - columns + most_edits) / 2 + 1) {}

std::int64_t FewestEdits::Band::first_block(std::int64_t column) const {
  return block_of(std::clamp<std::int64_t>(column + lowest, 1, rows));
}

std::int64_t FewestEdits::Band::last_block(std::int64_t column) const {
  return block_of(std::clamp<std::int64_t>(column + highest, 1, rows));
}

std::size_t FewestEdits::Band::width() const {
  return index(std::min(block_of(rows) + 1, (highest - lowest) / kBits + 2));
}

void FewestEdits::set_reference(Symbols reference) {
  reference_ = reference;
  bits_.clear();
  if (reference.empty()) return;
  const std::size_t symbols = std::size_t{1} + *std::ranges::max_element(reference);
  starts_.assign(symbols + 1, 0);
  for (const std::uint32_t symbol : reference) ++starts_[symbol];
  for (std::size_t symbol = 0; symbol < symbols; ++symbol) starts_[symbol + 1] += starts_[symbol];
  places_.resize(reference.size());
  for (std::size_t place = reference.size(); place-- > 0;)
    places_[--starts_[reference[place]]] = static_cast<std::uint32_t>(place);

  const std::size_t blocks = reference.size() / kBits + 1;
  const std::size_t often = std::max<std::size_t>(8, blocks / 4);
  frequent_.assign(symbols, -1);
  for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
    if (starts_[symbol + 1] - starts_[symbol] < often) continue;
    frequent_[symbol] = static_cast<int>(bits_.size());
    std::vector<std::uint64_t>& bits = bits_.emplace_back(blocks, 0);
    for (std::size_t at = starts_[symbol]; at < starts_[symbol + 1]; ++at)
      bits[places_[at] / kBits] |= std::uint64_t{1} << (places_[at] % kBits);
  }
}

EditCounts FewestEdits::count(Symbols hypothesis) {
  hypothesis_ = hypothesis;
  const auto rows = std::ssize(reference_), columns = std::ssize(hypothesis);
  if (rows == 0) return {.insertions = static_cast<int>(columns)};
  if (columns == 0) return {.deletions = static_cast<int>(rows)};
  constexpr double kMostWork = 1e10;  // blocks, which take minutes
  segment_ = std::max<std::int64_t>(256, std::llround(std::sqrt(static_cast<double>(columns))));
  for (std::int64_t edits = std::max<std::int64_t>(kBits, std::abs(rows - columns));; edits *= 2) {
    const Band band(rows, columns, edits);
    if (static_cast<double>(band.width()) * static_cast<double>(columns) > kMostWork) {
      throw InputError(concat("the texts have ", rows, " and ", columns,
                              " words or characters and differ in ", "more than ", edits / 2,
                              ", too many to count the edits exactly; expected lines ",
                              "of a sentence or a paragraph: split them"));
    }
    if (distance(band) <= edits) return way_back(band);
  }
}

/// The number of edits on the best path within the band, or a number above those that the band is for.
std::int64_t FewestEdits::distance(const Band& band) {
  const auto columns = std::ssize(hypothesis_);
  blocks_.assign(index(block_of(band.rows) + 1), Block());
  bottom_ = static_cast<int>((band.last_block(0) + 1) * kBits);
  checkpoints_.clear();
  for (std::int64_t begin = 0; begin < columns; begin += segment_) {
    const std::int64_t first = band.first_block(begin);
    const auto from = blocks_.begin() + first, until = blocks_.begin() + band.last_block(begin) + 1;
    checkpoints_.push_back({first, {from, until}});
    const std::int64_t end = std::min(columns, begin + segment_);
    compute(band, begin, end, /*keep_steps=*/false);
    if (const std::int64_t least = least_after(band, end); least > band.edits) return least;
  }
  const std::uint64_t below = ~((bit_of(band.rows) << 1) - 1);  // bits after the last row
  const Block& last = blocks_.back();
  return bottom_ - std::popcount(last.positive & below) + std::popcount(last.negative & below);
}

/// A lower bound of the number of edits of every path through the latest column within the band.
std::int64_t FewestEdits::least_after(const Band& band, std::int64_t column) const {
  constexpr std::int64_t kWithinBlock =
      2 * kBits;  // how far other cells of a block may be below its last one
  const std::int64_t diagonal = band.rows - (std::ssize(hypothesis_) - column);
  std::int64_t value = bottom_, least = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t block = band.last_block(column); block >= band.first_block(column); --block) {
    least = std::min(least, value + std::abs(diagonal - (block + 1) * kBits) - kWithinBlock);
    const Block& cells = blocks_[index(block)];
    value += std::popcount(cells.negative) - std::popcount(cells.positive);
  }
  return least;
}

/// Computes the columns after `begin` up to `end`. The cells above and left of the band count as one more
/// than the nearest cell in it.
void FewestEdits::compute(const Band& band, std::int64_t begin, std::int64_t end, bool keep_steps) {
  if (keep_steps) {
    steps_begin_ = begin;
    steps_.resize(index(end - begin) * band.width());
  }
  for (std::int64_t column = begin + 1; column <= end; ++column) {
    const std::int64_t first = band.first_block(column), last = band.last_block(column);
    for (std::int64_t fresh = band.last_block(column - 1) + 1; fresh <= last; ++fresh) {
      blocks_[index(fresh)] = {};
      bottom_ += kBits;
    }
    const std::uint32_t symbol = hypothesis_[index(column - 1)];
    const bool known = std::size_t{symbol} + 1 < starts_.size();
    const std::uint64_t* const bits =
        known && frequent_[symbol] >= 0 ? bits_[index(frequent_[symbol])].data() : nullptr;
    auto at = places_.begin(), places_end = places_.begin();
    if (known && bits == nullptr) {
      places_end += starts_[symbol + 1];
      at = std::lower_bound(places_.begin() + starts_[symbol], places_end, first * kBits);
    }
    Steps* steps = keep_steps ? &steps_[index(column - begin - 1) * band.width()] : nullptr;
    int carry = 1;
    for (std::int64_t block = first; block <= last; ++block) {
      std::uint64_t equal = 0;
      if (bits != nullptr) {
        equal = bits[block];
      } else {
        for (; at != places_end && *at / kBits == block; ++at) equal |= std::uint64_t{1} << (*at % kBits);
      }
      const Steps found = advance(blocks_[index(block)], equal, carry);
      if (steps != nullptr) *steps++ = found;
    }
    bottom_ += carry;
  }
}

/// Moves a block to the next column. `equal` has the bits of rows whose symbol is that of the column. `carry`
/// is the difference between this column and the one before: above the block, then in its last row.
FewestEdits::Steps FewestEdits::advance(Block& block, std::uint64_t equal, int& carry) {
  const std::uint64_t positive = block.positive, negative = block.negative;
  const std::uint64_t straight = equal | negative;
  if (carry < 0) equal |= 1;
  const std::uint64_t diagonal = (((equal & positive) + positive) ^ positive) | equal;
  std::uint64_t right = negative | ~(diagonal | positive), left = positive & diagonal;
  const int last = static_cast<int>(right >> (kBits - 1)) - static_cast<int>(left >> (kBits - 1));
  right = right << 1 | (carry > 0 ? 1 : 0);
  left = left << 1 | (carry < 0 ? 1 : 0);
  block = {left | ~(straight | right), right & straight};
  carry = last;
  return {diagonal | negative, block.positive};
}

const FewestEdits::Steps& FewestEdits::steps_at(const Band& band, std::int64_t column,
                                                std::int64_t row) const {
  const std::size_t place = index(block_of(row) - band.first_block(column));
  return steps_[index(column - steps_begin_ - 1) * band.width() + place];
}

/// Follows the path with the fewest edits from the end to the beginning.
EditCounts FewestEdits::way_back(const Band& band) {
  EditCounts counts;
  std::int64_t row = band.rows, column = std::ssize(hypothesis_);
  while (row > 0 && column > 0) {
    const std::int64_t number = (column - 1) / segment_, begin = number * segment_;
    const Checkpoint& start = checkpoints_[index(number)];
    std::ranges::copy(start.blocks, blocks_.begin() + start.first_block);
    compute(band, begin, column, /*keep_steps=*/true);
    while (row > 0 && column > begin) {
      const Steps& steps = steps_at(band, column, row);
      const bool same = reference_[index(row - 1)] == hypothesis_[index(column - 1)];
      const bool substituted = (steps.zero & bit_of(row)) == 0;
      if (substituted || same) {
        counts.substitutions += substituted ? 1 : 0;
        --row;
        --column;
      } else if ((steps.down & bit_of(row)) != 0) {
        ++counts.deletions;
        --row;
      } else {
        ++counts.insertions;
        --column;
      }
    }
  }
  counts.deletions += static_cast<int>(row);
  counts.insertions += static_cast<int>(column);
  return counts;
}

}  // namespace gloss

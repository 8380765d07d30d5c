#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gloss {

/// The number of a piece in a vocabulary.
using TokenId = std::int32_t;

/// Rows of tokens of different lengths, one behind the other without padding.
struct TokenRows {
  std::vector<TokenId> tokens;
  std::vector<int> starts{0};  ///< rows + 1 positions in `tokens`; row r is [starts[r], starts[r + 1])

  int rows() const { return static_cast<int>(starts.size()) - 1; }
  int length(int row) const {
    return starts[static_cast<std::size_t>(row) + 1] - starts[static_cast<std::size_t>(row)];
  }
  std::span<const TokenId> row(int row) const {
    return {tokens.data() + starts[static_cast<std::size_t>(row)], static_cast<std::size_t>(length(row))};
  }
  void add(std::span<const TokenId> row) {
    tokens.insert(tokens.end(), row.begin(), row.end());
    starts.push_back(static_cast<int>(tokens.size()));
  }
};

/// Examples to learn from. Every source row and every target row ends with the end token; networks put the
/// begin token in front of the targets themselves. For a language model a source row is what stands before
/// its target row instead, and both may end with any token.
struct Batch {
  TokenRows source;
  TokenRows target;
  std::vector<float> weights;  ///< how much each row's target tokens count; empty: 1 each
};

}  // namespace gloss

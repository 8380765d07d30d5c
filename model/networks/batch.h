// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/index.h"
#include "model/tensor/soft_targets.h"

namespace gloss {

/// Index of a piece in a vocabulary.
using TokenId = std::int32_t;

/// Rows of tokens of different lengths, stored consecutively without padding. Items of a source that is not
/// text are rows, too: the tokens are the numbers of their vectors, which a network makes of `numbers`. All
/// rows are text, or none.
struct TokenRows {
  std::vector<TokenId> tokens;
  std::vector<int> starts{0};  ///< rows + 1 positions in `tokens`; row r is [starts[r], starts[r + 1])
  /// The numbers of each row's item, such as the pixels of an image, row after row; empty for text.
  std::vector<float> numbers{};
  std::vector<std::size_t> number_starts{};  ///< rows + 1 positions in `numbers`; empty for text

  int rows() const { return static_cast<int>(starts.size()) - 1; }
  int length(int row) const { return starts[index(row) + 1] - starts[index(row)]; }
  std::span<const TokenId> row(int row) const {
    return {tokens.data() + starts[index(row)], index(length(row))};
  }
  void add(std::span<const TokenId> row) {
    tokens.insert(tokens.end(), row.begin(), row.end());
    starts.push_back(static_cast<int>(tokens.size()));
  }
  /// Adds an item; numbers of any type.
  template <class Numbers>
  void add_item(std::span<const TokenId> row, const Numbers& of_item) {
    add(row);
    if (number_starts.empty()) number_starts.push_back(0);
    numbers.insert(numbers.end(), of_item.begin(), of_item.end());
    number_starts.push_back(numbers.size());
  }
  /// The numbers of a row's item; none of text.
  std::span<const float> numbers_of(int row) const {
    if (number_starts.empty()) return {};
    const std::size_t begin = number_starts[index(row)];
    return std::span(numbers).subspan(begin, number_starts[index(row) + 1] - begin);
  }
  /// Adds a row of others, with its numbers.
  void add(const TokenRows& from, int of) {
    if (from.number_starts.empty()) {
      add(from.row(of));
    } else {
      add_item(from.row(of), from.numbers_of(of));
    }
  }
};

/// A link between a source token and a target token that translate each other.
struct TokenLink {
  std::int32_t source, target;  ///< numbers of tokens, from 0
  bool operator==(const TokenLink&) const = default;
};

/// A batch of training examples. Every source row and every target row ends with the end token; networks
/// prepend the begin token to targets themselves. For a language model, a source row is the context before
/// its target row, and both may end with any token.
struct Batch {
  TokenRows source;
  TokenRows target;
  std::vector<float> weights;  ///< loss weight of each row's target tokens; empty: all 1
  /// Links between source.tokens and target.tokens, ordered by target; attention can be trained to follow
  /// them.
  std::vector<TokenLink> links{};
  SoftTargets soft{};      ///< of each target token, for distillation
  std::int64_t epoch = 0;  ///< in training: whole passes over the corpus before this one
};

}  // namespace gloss

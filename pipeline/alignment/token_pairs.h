// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/index.h"
#include "model/networks/batch.h"

namespace gloss {

/// Lines as tokens, in one array.
class TokenLines {
 public:
  void add(std::span<const TokenId> line) {
    tokens_.insert(tokens_.end(), line.begin(), line.end());
    ends_.push_back(tokens_.size());
  }
  std::int64_t size() const { return std::ssize(ends_) - 1; }
  /// The tokens of a line; valid until a line is added.
  std::span<const TokenId> operator[](std::int64_t line) const {
    const std::size_t start = offset(line);
    return std::span(tokens_).subspan(start, offset(line + 1) - start);
  }
  /// The number of tokens before a line.
  std::size_t offset(std::int64_t line) const { return ends_[index(line)]; }
  /// The tokens of all lines.
  std::span<const TokenId> tokens() const { return tokens_; }

 private:
  std::vector<TokenId> tokens_;
  std::vector<std::size_t> ends_{0};  // of the lines before each one, and of the last
};

/// Lines and their translations as tokens, without end tokens; as many of both.
struct TokenPairs {
  TokenLines source, target;

  std::int64_t size() const { return source.size(); }
  void add(std::span<const TokenId> of_source, std::span<const TokenId> of_target) {
    source.add(of_source);
    target.add(of_target);
  }
};

/// The side of pairs that is given, and the side whose tokens are generated.
struct PairSides {
  const TokenLines& given;
  const TokenLines& generated;
};

}  // namespace gloss

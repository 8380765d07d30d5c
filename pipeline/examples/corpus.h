// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/index.h"
#include "model/networks/batch.h"

namespace gloss {

/// The index of a pair in a corpus.
using PairIndex = std::uint32_t;

/// The numbers of an item that is not text: as bytes, such as the pixels of an image, or of any size. Either
/// may be empty.
struct ItemNumbers {
  std::vector<std::uint8_t> bytes{};
  std::vector<float> floats{};
};

/// Pairs of encoded sentences, concatenated. Every row ends with the end token.
class Corpus {
 public:
  /// `links`: of the tokens of the pair, ordered by target token.
  void add(std::span<const TokenId> source, std::span<const TokenId> target, float weight = 1,
           std::span<const TokenLink> links = {});
  /// Adds an item that is not text: `source` are the numbers of its vectors. All pairs of a corpus are text,
  /// or none.
  void add_item(std::span<const TokenId> source, const ItemNumbers&, std::span<const TokenId> target,
                float weight = 1);
  /// Adds all pairs of another corpus.
  void append(const Corpus& other);

  std::size_t size() const { return source_.starts.size() - 1; }
  std::span<const TokenId> source(PairIndex pair) const { return source_.row(pair); }
  std::span<const TokenId> target(PairIndex pair) const { return target_.row(pair); }
  /// True if a pair has a weight other than 1.
  bool weighted() const { return !weights_.empty(); }
  /// The loss weight of each target token of a pair.
  float weight(PairIndex pair) const { return weights_.empty() ? 1.0f : weights_[pair]; }
  /// The links between the tokens of a pair.
  std::span<const TokenLink> links(PairIndex pair) const {
    if (links_.empty()) return {};
    return {links_.data() + link_starts_[pair],
            index(link_starts_[pair + std::size_t{1}] - link_starts_[pair])};
  }
  /// Adds the source of a pair to rows, with the numbers of its item.
  void add_source(PairIndex, TokenRows& to) const;
  /// Number of tokens of a side, including end tokens.
  std::int64_t source_tokens() const { return static_cast<std::int64_t>(source_.tokens.size()); }
  std::int64_t target_tokens() const { return static_cast<std::int64_t>(target_.tokens.size()); }

 private:
  /// Adds the links of the next pairs, before their tokens; `ends`: of each pair's links in `links`.
  void add_links(std::span<const TokenLink> links, std::span<const std::uint64_t> ends);
  /// Like TokenRows, but for more than 2^31 tokens.
  struct Rows {
    std::vector<TokenId> tokens;
    std::vector<std::uint64_t> starts{0};
    std::span<const TokenId> row(PairIndex row) const {
      return {tokens.data() + starts[row], index(starts[row + std::size_t{1}] - starts[row])};
    }
    void append(const Rows& other);
  };
  Rows source_, target_;
  std::vector<float> weights_;  // empty: all 1
  std::vector<TokenLink> links_;
  std::vector<std::uint64_t> link_starts_;  // pairs + 1; empty if there are no links
  /// The numbers of items that are not text.
  template <class Number>
  struct Items {
    std::vector<Number> numbers;
    std::vector<std::uint64_t> starts{0};  // items + 1
    void add(const std::vector<Number>& item);
    void append(const Items& other);
    std::span<const Number> item(PairIndex number) const {
      return {numbers.data() + starts[number], index(starts[number + std::size_t{1}] - starts[number])};
    }
  };
  Items<std::uint8_t> bytes_;
  Items<float> floats_;
};

}  // namespace gloss

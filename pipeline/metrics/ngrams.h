// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/index.h"

namespace gloss {

/// Numbers the n-grams of a segment. They are nodes of a trie, found by prefix and last symbol, so n-grams
/// are never copied and a hypothesis is followed only as far as it matches. Node 0 is the empty n-gram.
class NgramTrie {
 public:
  /// Removes all n-grams but keeps the memory.
  void clear();
  /// The node of an n-gram; 0: unknown.
  std::uint32_t find(std::uint32_t prefix, std::uint32_t symbol) const;
  std::uint32_t find_or_add(std::uint32_t prefix, std::uint32_t symbol);
  /// Calls `found` with the node and the number of symbols of each n-gram of up to `max_order` symbols, which
  /// it adds if necessary.
  template <class Found>
  void add_each(std::span<const std::uint32_t> symbols, std::size_t max_order, const Found& found) {
    for (std::size_t start = 0; start < symbols.size(); ++start) {
      const std::size_t end = std::min(symbols.size(), start + max_order);
      std::uint32_t node = 0;
      for (std::size_t at = start; at < end; ++at)
        found(node = find_or_add(node, symbols[at]), at - start + 1);
    }
  }
  /// The same for known n-grams; an n-gram whose prefix is unknown is unknown too.
  template <class Found>
  void find_each(std::span<const std::uint32_t> symbols, std::size_t max_order, const Found& found) const {
    for (std::size_t start = 0; start < symbols.size(); ++start) {
      const std::size_t end = std::min(symbols.size(), start + max_order);
      std::uint32_t node = 0;
      for (std::size_t at = start; at < end && (node = find(node, symbols[at])) != 0; ++at) {
        found(node, at - start + 1);
      }
    }
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t node = 0;
    std::uint32_t round = 0;  // slots of earlier rounds are empty
  };
  std::size_t first_slot(std::uint64_t key) const { return index((key * 0x9e3779b97f4a7c15ULL) >> shift_); }
  void grow();

  std::uint32_t round_ = 1, nodes_ = 1;
  int shift_ = 64 - 8;
  std::vector<Slot> slots_ = std::vector<Slot>(1u << 8);
};

/// Counts of the n-grams of up to `max_order` symbols in the references of one segment.
class NgramCounts {
 public:
  /// Removes all n-grams but keeps the memory.
  void clear(int max_order);
  /// Adds the n-grams of a reference. The count of an n-gram is its highest count in a single reference.
  void add(std::span<const std::uint32_t> symbols);
  /// Adds to matches[n - 1] the number of n-grams in `symbols` that match, clipped at their counts.
  void match(std::span<const std::uint32_t> symbols, std::span<std::int64_t> matches);

 private:
  int max_order_ = 0;
  NgramTrie trie_;
  std::vector<std::uint32_t> counts_;  // by node
  std::vector<std::uint32_t> seen_;    // by node: count in the current text
  bool first_ = true;
};

/// Weighted means of the counts of n-grams in several texts, such as the translations that one line may have.
class MeanNgramCounts {
 public:
  /// Removes all n-grams but keeps the memory.
  void clear(int max_order);
  /// Adds `weight` times the n-grams of a text. The weights of all texts have the sum 1.
  void add(std::span<const std::uint32_t> symbols, double weight);
  /// Writes to matches[n - 1] the n-grams in `symbols` that match: of each, the smaller one of its count and
  /// its mean count.
  void match(std::span<const std::uint32_t> symbols, std::span<double> matches);
  /// The mean number of n-grams of `order` symbols in a text.
  double total(int order) const { return totals_[index(order - 1)]; }

 private:
  NgramTrie trie_;
  std::vector<double> means_;        // by node
  std::vector<std::uint32_t> seen_;  // by node: count in the current text
  std::vector<double> totals_;       // by order
};

/// The number of n-grams of `order` symbols in a text of `length` symbols.
inline std::int64_t ngrams_in(std::int64_t length, int order) {
  return length >= order ? length - order + 1 : 0;
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/alignment/token_pairs.h"

namespace gloss {

/// Translation probabilities of tokens that occur in the same pair of lines, to be learned by expectation
/// maximisation. The null token generates target tokens without a source. Expected counts are summed in fixed
/// point, so that the result does not depend on the order of the pairs or the number of threads.
class LexicalTable {
 public:
  /// At first, all translations of a source token are equally probable.
  LexicalTable(const PairSides& sides, int source_vocabulary, int threads);

  /// The null token.
  TokenId none() const { return none_; }
  /// The place of a translation, which must occur in the pairs.
  std::size_t place(TokenId source, TokenId target) const {
    const std::size_t first = starts_[index(source)], slots = starts_[index(source) + 1] - first;
    std::size_t at = first_slot(target, slots);
    while (slots_[first + at].target != target && slots_[first + at].target != kFree) {
      at = at + 1 == slots ? 0 : at + 1;
    }
    return first + at;
  }
  /// Fetches a translation into the cache: tables are much larger, and several fetches run at a time.
  void fetch(TokenId source, TokenId target) const {
    const std::size_t first = starts_[index(source)];
    __builtin_prefetch(&slots_[first + first_slot(target, starts_[index(source) + 1] - first)], 1);
  }
  float probability(std::size_t place) const { return slots_[place].probability; }
  /// Adds an expected count, from 0 to 1. Thread-safe.
  void count(std::size_t place, float expected);
  /// Makes the probabilities those of the counts, and starts to count from 0.
  void renew(int threads);

  struct Entry {
    TokenId target;
    float probability;
  };
  /// The `count` most probable translations of a source token, the best first, ties by token.
  std::vector<Entry> best(TokenId source, int count) const;

 private:
  /// A translation. Those of a source token are a hash table by target token.
  struct Slot {
    TokenId target = kFree;
    float probability = 0;
    std::uint64_t count = 0;  // in fixed point
  };
  static constexpr TokenId kFree = -1;

  /// The slot among `slots` at which the search for a token starts.
  static std::size_t first_slot(TokenId target, std::size_t slots) {
    constexpr std::uint32_t kGolden = 2654435769U;  // 2^32 / golden ratio: spreads neighbouring numbers
    return index(std::uint64_t{static_cast<std::uint32_t>(target) * kGolden} * slots >> 32);
  }
  void renew_slots(TokenId source);

  TokenId none_;
  std::vector<std::size_t> starts_;  // offsets of each source token's slots, and the end
  std::vector<Slot> slots_;
};

}  // namespace gloss

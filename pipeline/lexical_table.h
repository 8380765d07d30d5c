#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/networks/batch.h"

namespace gloss {

/// A source and a target line as tokens, without end tokens.
struct TokenPair {
  std::vector<TokenId> source, target;
};

/// How probable it is that a source token is translated by a target token: IBM model 1 (Brown et al. 1993),
/// learned by expectation maximisation from pairs of lines. Every target token comes from one of the line's
/// source tokens or from none of them. Counts are summed as whole numbers, so that the result does not depend
/// on the order of the pairs or the number of threads.
class LexicalTable {
 public:
  LexicalTable(std::span<const TokenPair> pairs, int source_vocabulary, int iterations, int threads);

  struct Entry {
    TokenId target;
    float probability;
  };
  /// The most probable translations of a source token, the best first, equal ones by token.
  std::vector<Entry> best(TokenId source, int count) const;

 private:
  void collect(std::span<const TokenPair> pairs, int threads);
  void iterate(std::span<const TokenPair> pairs, int threads);
  /// The place of an entry that exists.
  std::size_t place(TokenId source, TokenId target) const;

  TokenId none_;                      // stands for "no source token"
  std::vector<std::size_t> starts_;   // of each source token's entries, and the end of the last
  std::vector<TokenId> targets_;      // ascending for each source token
  std::vector<float> probabilities_;  // of each entry
  std::vector<std::uint64_t> counts_;
};

}  // namespace gloss

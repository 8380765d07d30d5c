// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/index.h"
#include "model/networks/batch.h"
#include "pipeline/examples/languages.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {

/// Sentences and their translations as tokens, found by similarity.
class TranslationMemory {
 public:
  /// Reads lines `source TAB translation`; blank lines are skipped. Throws InputError, with the line, for any
  /// other, and for a file without any. The translations have their tokens in this order.
  static TranslationMemory read(const std::string& path, const Subwords& source, const Subwords& target,
                                Normalization, TargetOrder = TargetOrder::left_to_right);

  /// Adds a pair. Call `index_pairs` after the last.
  void add(std::span<const TokenId> source, std::span<const TokenId> target);
  /// Makes the pairs findable.
  void index_pairs();
  int pairs() const { return targets_.rows(); }

  /// The translation of the pair whose source is the most similar to this one: twice the number of pairs of
  /// neighbouring tokens that both have, as a share of those of each (Dice). The first of several; empty if
  /// none shares enough.
  std::span<const TokenId> closest(std::span<const TokenId> source) const;

 private:
  /// A pair of neighbouring tokens, and a pair of the memory whose source has it.
  struct Occurrence {
    std::uint64_t neighbours;
    std::int32_t pair;
    auto operator<=>(const Occurrence&) const = default;
  };
  using Occurrences = std::span<const Occurrence>;
  /// All occurrences of the pairs of neighbours in a source, the rarest first.
  std::vector<Occurrences> occurrences(std::span<const TokenId> source) const;

  TokenRows targets_;
  std::vector<std::int32_t> neighbours_;  // the number of each source
  std::vector<Occurrence> occurrences_;   // sorted by index_pairs
};

}  // namespace gloss

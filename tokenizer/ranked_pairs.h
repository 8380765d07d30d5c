// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <unordered_map>

#include "tokenizer/foreign_rules.h"
#include "tokenizer/piece_list.h"
#include "tokenizer/word_cache.h"

namespace gloss {

/// GPT-2's byte-level BPE (Radford et al. 2019): splits text into words, numbers, marks and spaces, and
/// merges given pairs of pieces in a given order. Pieces consist of byte characters (tokenizer/byte_level.h).
class RankedPairs : public PieceList {
 public:
  /// Throws InputError, naming `where`, if a pair cannot be merged to a piece.
  RankedPairs(const ModelFile& file, const ForeignRules& rules, const std::string& where);

  std::string piece_text(int id) const override;
  void encode(std::string_view text, std::vector<int>& ids) const override;
  void split(std::string_view text, const TakePiece& take) const override;
  std::string join(std::size_t count, const PieceAt& piece_at) const override;
  std::string reason_against_sampling() const override { return ""; }
  void sample(std::string_view text, double dropout, Random& random, const TakePiece& take) const override;

 private:
  /// Calls `take` for the pieces of a word in byte characters.
  void split_word(std::string_view word, double dropout, Random* random, const TakePiece& take) const;

  static std::uint64_t key(int left, int right) {
    return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
  }

  std::unordered_map<std::uint64_t, int> ranks_;  // by `key`
  mutable WordCache words_;
};

/// The size in bytes of GPT-2's first word of a text, which is not empty: a contraction such as 's; letters,
/// digits or other characters, each with the space before them; or white space.
std::size_t first_word_size(std::string_view text);

}  // namespace gloss

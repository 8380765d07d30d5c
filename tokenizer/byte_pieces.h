// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <unordered_map>

#include "tokenizer/bpe.h"
#include "tokenizer/stored_pieces.h"
#include "tokenizer/word_cache.h"

namespace gloss {

/// A SentencePiece model whose pieces are bytes (ModelFile::byte_level).
class BytePieces : public StoredPieces {
 public:
  BytePieces(ModelFile model, std::string_view bytes, const std::string& where);

  std::string piece_text(int id) const override;

  void encode(std::string_view text, std::vector<int>& ids) const override;
  void split(std::string_view text, const TakePiece& take) const override;
  std::string decode(std::span<const int> ids) const override;
  std::string join(std::size_t count, const PieceAt& piece_at) const override;

  std::string reason_against_sampling() const override { return ""; }
  void sample(std::string_view text, double dropout, Random& random, const TakePiece& take) const override;

 private:
  /// Appends the ids of a word, from the cache if possible.
  void encode_word(std::string_view word, std::vector<int>& ids) const;

  BytePairs byte_pairs_;
  std::unordered_map<std::string_view, int> id_of_piece_;
  mutable WordCache words_;
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "tokenizer/piece_list.h"
#include "tokenizer/word_cache.h"

namespace gloss {

/// BERT's tokenizer (Devlin et al. 2019): words and punctuation marks, each split into the longest pieces
/// from its start (WordPiece). The first piece of a word starts with U+2581 here; the others, which BERT
/// writes with "##", have no mark.
class WordPieces : public PieceList {
 public:
  WordPieces(const ModelFile& file, bool lower_case) : PieceList(file), lower_case_(lower_case) {}

  std::string piece_text(int id) const override;
  void encode(std::string_view text, std::vector<int>& ids) const override;
  void split(std::string_view text, const TakePiece& take) const override;
  std::string join(std::size_t count, const PieceAt& piece_at) const override;

 private:
  /// Appends the ids of a word: one unknown id if it has a part without a piece, or is too long.
  void encode_word(std::string_view word, std::vector<int>& ids) const;

  bool lower_case_;
  mutable WordCache words_;
};

}  // namespace gloss

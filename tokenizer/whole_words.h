// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "tokenizer/piece_list.h"

namespace gloss {

/// A vocabulary of words between spaces (Marian's .yml, fairseq's dict.txt). The piece of a word starts with
/// U+2581, as in other models.
class WholeWords : public PieceList {
 public:
  using PieceList::PieceList;

  std::string piece_text(int id) const override;
  void encode(std::string_view text, std::vector<int>& ids) const override;
  void split(std::string_view text, const TakePiece& take) const override;
  std::string join(std::size_t count, const PieceAt& piece_at) const override;
};

}  // namespace gloss

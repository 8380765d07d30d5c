// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/whole_words.h"

#include "base/error.h"
#include "tokenizer/columns.h"

namespace gloss {
namespace {

/// The word of a piece.
std::string_view word_of(std::string_view piece) {
  return piece.starts_with(kPieceSpace) ? piece.substr(kPieceSpace.size()) : piece;
}

}  // namespace

std::string WholeWords::piece_text(int id) const {
  return is_special(id) ? "" : concat(" ", word_of(piece(id)));
}

void WholeWords::encode(std::string_view text, std::vector<int>& ids) const {
  split(text, [&](int id, std::string_view) { ids.push_back(id); });
}

void WholeWords::split(std::string_view text, const TakePiece& take) const {
  std::string piece;
  for_each_word(text, [&](std::string_view word) {
    piece.assign(kPieceSpace).append(word);
    const int id = find(piece);
    take(id < 0 ? unknown_id() : id, piece);
  });
}

std::string WholeWords::join(std::size_t count, const PieceAt& piece_at) const {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += ' ';
    text += word_of(piece_at(i));
  }
  return text;
}

}  // namespace gloss

#pragma once

#include <span>
#include <string>
#include <vector>

#include "tokenizer/model_file.h"

namespace gloss {

/// How text is prepared before a model cuts it into pieces.
enum class Preparation {
  none,       ///< not at all, so that every space is a piece or part of one
  byte_level  ///< a space before the first word, then each byte becomes a character
};

/// The bytes of a SentencePiece model file. Text is left as it is but for the preparation.
std::string write_model_file(std::span<const Piece>, Segmentation, Preparation);

/// The first pieces of every model that gloss learns: <unk>, <s>, </s>, then symbols that are never cut.
std::vector<Piece> first_pieces(const std::vector<std::string>& user_symbols);

/// The model file `bytes`, which has `old_size` pieces, with further ones at its end; everything else, and
/// every id, stays as it is.
std::string with_further_pieces(std::string bytes, std::size_t old_size, std::span<const Piece>);

/// The name of the piece of a byte, "<0x00>" to "<0xFF>".
std::string byte_piece(unsigned char byte);

}  // namespace gloss

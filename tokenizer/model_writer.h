// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <span>
#include <string>
#include <vector>

#include "tokenizer/model_file.h"

namespace gloss {

/// How a model prepares text before splitting it into pieces.
enum class Preparation {
  none,       ///< unchanged: each space is a piece or part of one
  byte_level  ///< a space is added before the first word, then each byte becomes a byte character
};

/// The bytes of a SentencePiece model file without normalisation other than the preparation.
std::string write_model_file(std::span<const Piece>, Segmentation, Preparation);

/// How a SentencePiece model prepares text, besides adding a space before it.
struct SentencePieceRules {
  std::string charsmap;       ///< precompiled rules of normalisation; empty: none
  bool joins_spaces = false;  ///< several spaces count as one, those at the ends as none
};
/// The bytes of a SentencePiece model with these rules.
std::string write_sentence_piece_file(std::span<const Piece>, Segmentation, const SentencePieceRules&);

/// The first pieces of the models that gloss learns: <unk>, <s>, </s> - or </s>, <unk> without a begin piece
/// - then the user-defined symbols.
std::vector<Piece> first_pieces(bool begin_piece, const std::vector<std::string>& user_symbols);

/// The bytes of a tokenizer file with the rules of another program, of any kind but sentence_pieces.
std::string write_model_file(std::span<const Piece>, const ForeignRules&);
/// The bytes of the SentencePiece model file `bytes` with other pieces and with the rules of another program.
std::string with_pieces(std::string_view bytes, std::span<const Piece>, const ForeignRules&);
/// The SentencePiece model from which the above made the file `bytes`, with these pieces.
std::string without_rules(std::string_view bytes, std::span<const Piece>);

/// Appends pieces to the model file `bytes`, which has `old_size` pieces; old ids and all else are unchanged.
std::string with_further_pieces(std::string bytes, std::size_t old_size, std::span<const Piece>);

/// The byte piece of a byte, "<0x00>" to "<0xFF>".
std::string byte_piece(unsigned char byte);

}  // namespace gloss

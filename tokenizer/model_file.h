// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/foreign_rules.h"

namespace gloss {

/// SentencePiece's types of pieces, numbered as in the file.
enum class PieceType { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

/// The algorithm that splits text into pieces, numbered as in the file.
enum class Segmentation { unigram = 1, bpe = 2, characters = 4 };

/// One entry of the vocabulary; its id is its index.
struct Piece {
  std::string text;
  float score = 0;  ///< in BPE models, pieces with higher scores are merged earlier
  PieceType type = PieceType::normal;
};

/// The parts of a SentencePiece model file that gloss uses.
struct ModelFile {
  std::vector<Piece> pieces;
  Segmentation segmentation = Segmentation::unigram;
  bool byte_fallback = false;
  int unknown_id = 0;
  /// True if the words between spaces can be encoded independently: normalisation changes only spaces, and no
  /// piece crosses a word boundary.
  bool words_apart = false;
  /// True for byte-level models, whose pieces consist of byte characters (tokenizer/byte_level.h): each byte
  /// has a piece, a space precedes the first word, spaces are kept, and no piece crosses a space.
  bool byte_level = false;
  std::optional<ForeignRules> foreign;  ///< of tokenizers of other programs
};

/// U+2581, which represents a space in pieces.
inline constexpr std::string_view kPieceSpace = "\xE2\x96\x81";

/// Parses and checks the bytes of a model file, so that SentencePiece can load it safely: hostile files can
/// crash its versions before 0.2.1 (CVE-2026-1260). Throws InputError that names `where` and the field.
ModelFile read_model_file(std::string_view bytes, const std::string& where);

/// The byte of a byte piece "<0x00>" to "<0xFF>"; -1 for other pieces.
int byte_of_piece(std::string_view piece);

}  // namespace gloss

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gloss {

/// What SentencePiece calls the type of a piece, numbered as in the file.
enum class PieceType { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

/// How a model cuts text into pieces, numbered as in the file.
enum class Segmentation { unigram = 1, bpe = 2, characters = 4 };

/// One entry of the vocabulary; its id is its place.
struct Piece {
  std::string text;
  float score = 0;  ///< of BPE: the higher, the earlier it is merged
  PieceType type = PieceType::normal;
};

/// What gloss needs to know of a SentencePiece model file.
struct ModelFile {
  std::vector<Piece> pieces;
  Segmentation segmentation = Segmentation::unigram;
  bool byte_fallback = false;
  int unknown_id = 0;
  /// True if a line's ids are those of its words between spaces, one after the other: the text is changed by
  /// nothing but the removal of spaces, and no merge crosses a word.
  bool words_apart = false;
  /// True if pieces are made of the characters that stand for bytes (tokenizer/byte_level.h). Then every byte
  /// has a piece, a space precedes the first word, spaces are kept, and no piece reaches over a space.
  bool byte_level = false;
};

/// U+2581, which stands for a space within pieces.
inline constexpr std::string_view kPieceSpace = "\xE2\x96\x81";

/// Reads and checks the bytes of a model file, trusting nothing, so that SentencePiece can then load and use
/// them: versions before 0.2.1 can be crashed by a hostile file (CVE-2026-1260). Throws InputError that names
/// `where` and the field.
ModelFile read_model_file(std::string_view bytes, const std::string& where);

/// The byte that a byte piece "<0x00>" to "<0xFF>" stands for, or -1.
int byte_of_piece(std::string_view piece);

}  // namespace gloss

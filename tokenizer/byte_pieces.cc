// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/byte_pieces.h"

#include "base/error.h"
#include "base/index.h"
#include "base/utf8.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/columns.h"
#include "tokenizer/text_parts.h"

namespace gloss {
namespace {

/// The line of text for the bytes of pieces: without the space before the first word; invalid UTF-8, which a
/// network may generate, becomes U+FFFD.
std::string line_of_bytes(std::string_view bytes) {
  if (bytes.starts_with(' ')) bytes.remove_prefix(1);
  return valid_utf8(bytes);
}

}  // namespace

BytePieces::BytePieces(ModelFile model, std::string_view bytes, const std::string& where)
    : StoredPieces(std::move(model), bytes, where), byte_pairs_(model_) {
  for (int id = 0; id < size(); ++id) id_of_piece_.emplace(piece(id), id);
}

std::string BytePieces::piece_text(int id) const {
  const Piece& entry = model_.pieces[index(id)];
  if (entry.type == PieceType::control) return "";
  if (entry.type == PieceType::unknown) return " \xE2\x81\x87 ";  // as SentencePiece decodes it
  return bytes_of_characters(entry.text);
}

void BytePieces::encode_word(std::string_view word, std::vector<int>& ids) const {
  if (words_.find(word, ids)) return;
  std::vector<int> found;
  // SentencePiece would look for user symbols before mapping bytes to characters, and would mistake the byte
  // characters of a symbol for the symbol.
  for_each_part(concat(" ", word), " ", [&](std::string_view part) {
    const std::string characters = byte_characters(part);
    for (const Segment& segment : byte_pairs_.segment(characters, 0, nullptr)) found.push_back(segment.id);
  });
  words_.insert(word, found);
  ids.insert(ids.end(), found.begin(), found.end());
}

void BytePieces::encode(std::string_view text, std::vector<int>& ids) const {
  if (!text.empty()) for_each_column(text, [&](std::string_view word) { encode_word(word, ids); });
}

void BytePieces::split(std::string_view text, const TakePiece& take) const {
  std::vector<int> ids;
  encode(text, ids);  // nothing is unknown
  for (const int id : ids) take(id, piece(id));
}

std::string BytePieces::decode(std::span<const int> ids) const {
  std::string text;
  for (const int id : ids) text += piece_text(id);
  return line_of_bytes(text);
}

std::string BytePieces::join(std::size_t count, const PieceAt& piece_at) const {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& piece = piece_at(i);
    const auto found = id_of_piece_.find(piece);
    text += found == id_of_piece_.end() ? piece : piece_text(found->second);
  }
  return line_of_bytes(text);
}

void BytePieces::sample(std::string_view text, double dropout, Random& random, const TakePiece& take) const {
  const std::string normalized = text.empty() ? "" : byte_characters(concat(" ", text));
  for_each_part(normalized, kPieceSpace, [&](std::string_view part) {
    for (const Segment& segment : byte_pairs_.segment(part, dropout, &random)) take(segment.id, segment.text);
  });
}

}  // namespace gloss

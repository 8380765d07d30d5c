// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/model_writer.h"

#include <cstdint>
#include <utility>

#include "base/error.h"
#include "tokenizer/byte_level.h"
#include "tokenizer/wire.h"

namespace gloss {
namespace {

void append_piece(std::string& file, const Piece& piece) {
  std::string message;
  append_bytes(message, 1, piece.text);
  append_number(message, 2, piece.score);
  if (piece.type != PieceType::normal) append_varint(message, 3, static_cast<std::uint64_t>(piece.type));
  append_bytes(file, 1, message);
}

constexpr std::uint32_t kTrainerField = 2;

/// The fields of a model file that are neither pieces nor rules.
std::vector<std::pair<std::uint32_t, std::string_view>> specifications(std::string_view bytes) {
  std::vector<std::pair<std::uint32_t, std::string_view>> fields;
  for (WireReader reader(bytes, "the SentencePiece model"); reader.next();) {
    if (reader.field() >= kTrainerField && reader.field() <= 5)
      fields.emplace_back(reader.field(), reader.bytes("specs"));
  }
  return fields;
}

}  // namespace

std::string write_model_file(std::span<const Piece> pieces, Segmentation segmentation,
                             Preparation preparation) {
  std::string file, trainer, normalizer, denormalizer;
  bool byte_fallback = false;
  for (const Piece& piece : pieces) {
    append_piece(file, piece);
    byte_fallback = byte_fallback || piece.type == PieceType::byte;
  }
  append_varint(trainer, 3, static_cast<std::uint64_t>(segmentation));
  append_varint(trainer, 4, pieces.size());
  if (byte_fallback) append_varint(trainer, 35, 1);
  append_bytes(file, 2, trainer);

  const bool byte_level = preparation == Preparation::byte_level;
  append_bytes(normalizer, 1, byte_level ? "byte_level" : "identity");
  if (byte_level) append_bytes(normalizer, 2, byte_level_rules());
  append_varint(normalizer, 3, byte_level ? 1 : 0);  // add_dummy_prefix
  append_varint(normalizer, 4, 0);                   // remove_extra_whitespaces
  append_varint(normalizer, 5, 1);                   // escape_whitespaces
  append_bytes(file, 3, normalizer);
  if (byte_level) {
    append_bytes(denormalizer, 1, "byte_level");
    append_bytes(denormalizer, 2, byte_level_rules_back());
    for (const std::uint32_t field : {3, 4, 5}) append_varint(denormalizer, field, 0);
    append_bytes(file, 5, denormalizer);
  }
  return file;
}

std::string write_sentence_piece_file(std::span<const Piece> pieces, Segmentation segmentation,
                                      const SentencePieceRules& rules) {
  std::string file, trainer, normalizer;
  for (const Piece& piece : pieces) append_piece(file, piece);
  append_varint(trainer, 3, static_cast<std::uint64_t>(segmentation));
  append_varint(trainer, 4, pieces.size());
  append_bytes(file, 2, trainer);
  append_bytes(normalizer, 1, rules.charsmap.empty() ? "identity" : "precompiled");
  append_bytes(normalizer, 2, rules.charsmap);
  append_varint(normalizer, 3, 1);                           // add_dummy_prefix
  append_varint(normalizer, 4, rules.joins_spaces ? 1 : 0);  // remove_extra_whitespaces
  append_varint(normalizer, 5, 1);                           // escape_whitespaces
  append_bytes(file, 3, normalizer);
  return file;
}

std::vector<Piece> first_pieces(bool begin_piece, const std::vector<std::string>& user_symbols) {
  const Piece unknown{"<unk>", 0, PieceType::unknown}, end{"</s>", 0, PieceType::control};
  std::vector<Piece> pieces{end, unknown};
  if (begin_piece) pieces = {unknown, {"<s>", 0, PieceType::control}, end};
  for (const std::string& symbol : user_symbols) pieces.push_back({symbol, 0, PieceType::user_defined});
  return pieces;
}

std::string write_model_file(std::span<const Piece> pieces, const ForeignRules& rules) {
  std::string file = write_model_file(pieces, Segmentation::bpe, Preparation::none);
  append_bytes(file, kForeignRulesField, write_rules(rules));
  return file;
}

std::string with_pieces(std::string_view bytes, std::span<const Piece> pieces, const ForeignRules& rules) {
  std::string file, trainer;
  for (const Piece& piece : pieces) append_piece(file, piece);
  for (const auto& [field, message] : specifications(bytes)) append_bytes(file, field, message);
  append_varint(trainer, 4, pieces.size());
  append_bytes(file, kTrainerField, trainer);  // overrides that field of the one before
  append_bytes(file, kForeignRulesField, write_rules(rules));
  return file;
}

std::string without_rules(std::string_view bytes, std::span<const Piece> pieces) {
  std::vector<std::pair<std::uint32_t, std::string_view>> kept = specifications(bytes);
  expects(!kept.empty() && kept.back().first == kTrainerField, "the file is not one of with_pieces");
  kept.pop_back();
  std::string file;
  for (const Piece& piece : pieces) append_piece(file, piece);
  for (const auto& [field, message] : kept) append_bytes(file, field, message);
  return file;
}

std::string with_further_pieces(std::string bytes, std::size_t old_size, std::span<const Piece> pieces) {
  for (const Piece& piece : pieces) append_piece(bytes, piece);
  // In protobuf, a repeated message is merged with the first: its fields override the earlier ones.
  std::string trainer;
  append_varint(trainer, 4, old_size + pieces.size());
  append_bytes(bytes, 2, trainer);
  return bytes;
}

std::string byte_piece(unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return {'<', '0', 'x', kDigits[byte / 16], kDigits[byte % 16], '>'};
}

}  // namespace gloss

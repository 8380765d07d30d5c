// SPDX-License-Identifier: Apache-2.0
// Only this file and subword_learn.cc use SentencePiece.
#include "tokenizer/sentence_pieces.h"

#include <sentencepiece_processor.h>

#include <vector>

#include "base/error.h"
#include "tokenizer/model_file.h"
#include "tokenizer/quiet.h"
#include "tokenizer/text_parts.h"

namespace gloss {
namespace {

void check(const sentencepiece::util::Status& status, std::string_view doing) {
  if (!status.ok()) throw Error(concat("SentencePiece could not ", doing, ": ", status.ToString()));
}

/// A private-use character (U+E000), which does not occur in text. Text after it continues a line.
constexpr std::string_view kNothing = "\xEE\x80\x80";

}  // namespace

SentencePieces::SentencePieces(std::string_view bytes, const std::string& where)
    : processor_(std::make_unique<sentencepiece::SentencePieceProcessor>()) {
  silence_sentencepiece();
  const sentencepiece::util::Status status = processor_->LoadFromSerializedProto(bytes);
  if (!status.ok()) throw InputError(concat(where, ": SentencePiece cannot use it: ", status.ToString()));
}

SentencePieces::~SentencePieces() = default;

void SentencePieces::split(std::string_view text, const TakePiece& take) const {
  const char* const begin = text.data();
  for_each_part(text, " ", [&](std::string_view part) {
    if (part.data() != begin) {
      split_continuation(part, take);
      return;
    }
    sentencepiece::ImmutableSentencePieceText found;
    check(processor_->Encode(part, found.mutable_proto()), "split a text");
    for (std::size_t i = 0; i < found.pieces_size(); ++i) {
      const auto piece = found.pieces(static_cast<int>(i));
      take(static_cast<int>(piece.id()), std::string_view(piece.piece()));
    }
  });
}

void SentencePieces::split_continuation(std::string_view part, const TakePiece& take) const {
  sentencepiece::ImmutableSentencePieceText alone, found;
  check(processor_->Encode(kNothing, alone.mutable_proto()), "split a text");
  check(processor_->Encode(concat(kNothing, part), found.mutable_proto()), "split a text");
  const std::size_t before = alone.pieces_size();
  for (std::size_t i = 0; i < found.pieces_size(); ++i) {
    const auto piece = found.pieces(static_cast<int>(i));
    std::string_view text = piece.piece();
    if (i < before) {
      // The last piece of kNothing may be joined with unknown characters of the part.
      const std::string& known = alone.pieces(static_cast<int>(i)).piece();
      if (text.starts_with(known)) text.remove_prefix(known.size());
      if (text.empty()) continue;
    }
    take(static_cast<int>(piece.id()), text);
  }
}

std::string SentencePieces::decode(std::size_t count, const PieceAt& piece_at) const {
  constexpr std::size_t kPiecesAtOnce = 1 << 16;  // SentencePiece takes about 250 bytes for each
  // A piece before those that continue the text: without it, a space before them would be left out.
  constexpr const char* kBefore = "x";
  std::string text, decoded;
  std::vector<std::string> part;
  bool continues = false;
  for (std::size_t i = 0; i <= count; ++i) {
    const bool enough = part.size() >= kPiecesAtOnce &&
                        // Bytes of one character stay together.
                        (part.size() >= 2 * kPiecesAtOnce || i == count || byte_of_piece(piece_at(i)) < 0);
    if (enough || i == count) {
      check(processor_->Decode(part, &decoded), "decode pieces");
      text.append(decoded, continues && decoded.starts_with(kBefore) ? 1 : 0);
      part.assign(1, kBefore);
      continues = true;
    }
    if (i < count) part.push_back(piece_at(i));
  }
  return text;
}

bool SentencePieces::is_byte(int id) const { return processor_->IsByte(id); }
int SentencePieces::begin_id() const { return processor_->bos_id(); }
int SentencePieces::end_id() const { return processor_->eos_id(); }

}  // namespace gloss

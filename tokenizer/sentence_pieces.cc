// SPDX-License-Identifier: Apache-2.0
// Only this file and subword_learn.cc use SentencePiece.
#include "tokenizer/sentence_pieces.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "base/error.h"
#include "tokenizer/characters.h"
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

/// The bytes of a run of unknown characters that SentencePiece gets at once, at most about twice as many:
/// it copies the run for each of its characters.
constexpr std::size_t kUnknownRun = 1024;

/// Joins adjacent unknown pieces of several parts of a text, as SentencePiece joins those of one text.
class UnknownPieces {
 public:
  UnknownPieces(int unknown, const SentencePieces::TakePiece& take) : unknown_(unknown), take_(take) {}
  void operator()(int id, std::string_view piece) {
    if (id == unknown_) {
      run_ += piece;
      return;
    }
    finish();
    take_(id, piece);
  }
  void finish() {
    if (!run_.empty()) take_(unknown_, run_);
    run_.clear();
  }

 private:
  int unknown_;
  const SentencePieces::TakePiece& take_;
  std::string run_;
};

}  // namespace

SentencePieces::SentencePieces(std::string_view bytes, const std::string& where)
    : processor_(std::make_unique<sentencepiece::SentencePieceProcessor>()) {
  silence_sentencepiece();
  const sentencepiece::util::Status status = processor_->LoadFromSerializedProto(bytes);
  if (!status.ok()) throw InputError(concat(where, ": SentencePiece cannot use it: ", status.ToString()));
}

SentencePieces::~SentencePieces() = default;

void SentencePieces::split_parts(std::string_view text, bool begins, const TakePiece& take) const {
  UnknownPieces unknown(processor_->unk_id(), take);
  const char* const begin = begins ? text.data() : nullptr;
  for_each_part(text, " ", [&](std::string_view part) {
    do {
      const std::string_view alone = part.substr(0, independent_size(part));
      if (alone.data() != begin) {
        split_continuation(alone, std::ref(unknown));
      } else {
        sentencepiece::ImmutableSentencePieceText found;
        check(processor_->Encode(alone, found.mutable_proto()), "split a text");
        for (std::size_t i = 0; i < found.pieces_size(); ++i) {
          const auto piece = found.pieces(static_cast<int>(i));
          unknown(static_cast<int>(piece.id()), std::string_view(piece.piece()));
        }
      }
      part.remove_prefix(alone.size());
    } while (!part.empty());
  });
  unknown.finish();
}

std::size_t SentencePieces::independent_size(std::string_view text) const {
  // A text must be unknown this far to both sides of a place at which it is split, so that no rule of the
  // normalisation applies across the place.
  constexpr std::size_t kMargin = 32;
  const auto character_at = [&](std::size_t place) {
    while ((static_cast<unsigned char>(text[place]) & 0xC0) == 0x80) --place;
    return place;
  };
  for (std::size_t size = kUnknownRun; size + kUnknownRun <= text.size(); size += kUnknownRun) {
    const std::size_t place = character_at(size), first = character_at(size - kMargin),
                      end = character_at(size + kMargin);
    if (is_unknown(text.substr(first, end - first))) return place;
  }
  return text.size();
}

bool SentencePieces::is_unknown(std::string_view text) const {
  const std::u32string characters = code_points(text);
  const auto known = [&](char32_t character) { return is_in_pieces(character); };
  if (std::ranges::any_of(characters, known)) return false;
  sentencepiece::ImmutableSentencePieceText found;
  check(processor_->Encode(concat(kNothing, text), found.mutable_proto()), "split a text");
  const auto last = found.pieces(static_cast<int>(found.pieces_size()) - 1);
  return static_cast<int>(last.id()) == processor_->unk_id() &&
         std::string_view(last.piece()).ends_with(concat(kNothing, text));
}

bool SentencePieces::is_in_pieces(char32_t character) const {
  std::call_once(collected_, [&] {
    for (int id = 0; id < processor_->GetPieceSize(); ++id) {
      const std::u32string piece = code_points(processor_->IdToPiece(id));
      characters_.insert(characters_.end(), piece.begin(), piece.end());
    }
    std::ranges::sort(characters_);
    characters_.erase(std::unique(characters_.begin(), characters_.end()), characters_.end());
  });
  return std::ranges::binary_search(characters_, character);
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

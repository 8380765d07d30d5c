// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/text_pieces.h"

#include <algorithm>

#include "base/error.h"
#include "base/index.h"
#include "tokenizer/columns.h"
#include "tokenizer/text_parts.h"

namespace gloss {

TextPieces::TextPieces(ModelFile model, std::string_view bytes, const std::string& where)
    : StoredPieces(std::move(model), bytes, where) {
  if (model_.segmentation == Segmentation::bpe) byte_pairs_ = std::make_unique<BytePairs>(model_);
  if (!model_.byte_fallback) return;
  byte_ids_.resize(256);
  for (int id = 0; id < size(); ++id) {
    if (model_.pieces[index(id)].type == PieceType::byte) byte_ids_[index(byte_of_piece(piece(id)))] = id;
  }
}

std::string TextPieces::piece_text(int id) const {
  const Piece& entry = model_.pieces[index(id)];
  switch (entry.type) {
    case PieceType::control:
      return "";
    case PieceType::unknown:
      return " \xE2\x81\x87 ";  // as SentencePiece decodes it
    case PieceType::byte:
      return std::string(1, static_cast<char>(byte_of_piece(entry.text)));
    default:
      break;
  }
  std::string text;
  for (std::size_t at = 0; at < entry.text.size();) {
    const bool space = entry.text.compare(at, kPieceSpace.size(), kPieceSpace) == 0;
    text += space ? ' ' : entry.text[at];
    at += space ? kPieceSpace.size() : 1;
  }
  return text;
}

bool TextPieces::by_words(std::string_view text) const {
  return model_.words_apart && text.find(kPieceSpace) == std::string_view::npos;
}

void TextPieces::encode_word(std::string_view word, std::vector<int>& ids) const {
  if (words_.find(word, ids)) return;
  std::vector<int> found;
  sentence_pieces_.split(word, [&](int id, std::string_view) { found.push_back(id); });
  words_.insert(word, found);
  ids.insert(ids.end(), found.begin(), found.end());
}

void TextPieces::encode(std::string_view text, std::vector<int>& ids) const {
  if (by_words(text)) {
    for_each_word(text, [&](std::string_view word) { encode_word(word, ids); });
  } else {
    sentence_pieces_.split(text, [&](int id, std::string_view) { ids.push_back(id); });
  }
}

void TextPieces::split(std::string_view text, const TakePiece& take) const {
  if (!by_words(text)) {
    sentence_pieces_.split(text, take);
    return;
  }
  std::vector<int> ids;
  for_each_word(text, [&](std::string_view word) {
    ids.clear();
    encode_word(word, ids);
    // Ids do not contain the text of unknown pieces.
    if (std::ranges::find(ids, model_.unknown_id) != ids.end()) {
      sentence_pieces_.split(word, take);
      return;
    }
    for (const int id : ids) take(id, piece(id));
  });
}

std::string TextPieces::join(std::size_t count, const PieceAt& piece_at) const {
  return sentence_pieces_.decode(count, piece_at);
}

std::string TextPieces::normalized(std::string_view text) const {
  std::string whole;
  if (by_words(text)) {
    for_each_word(text, [&](std::string_view word) { whole.append(kPieceSpace).append(word); });
    return whole;
  }
  sentence_pieces_.split(text, [&](int id, std::string_view piece) {
    if (!byte_ids_.empty() && sentence_pieces_.is_byte(id)) {
      whole += static_cast<char>(byte_of_piece(piece));
    } else {
      whole += piece;
    }
  });
  return whole;
}

std::string TextPieces::reason_against_sampling() const {
  if (byte_pairs_ != nullptr) return "";
  return concat("BPE dropout needs a BPE model; this is a ",
                model_.segmentation == Segmentation::unigram ? "unigram" : "character",
                " model; learn one with 'gloss vocab'");
}

void TextPieces::sample(std::string_view text, double dropout, Random& random, const TakePiece& take) const {
  if (byte_pairs_ == nullptr) throw InputError(reason_against_sampling());
  for_each_part(normalized(text), kPieceSpace, [&](std::string_view part) {
    take_segments(byte_pairs_->segment(part, dropout, &random), take);
  });
}

void TextPieces::take_segments(const std::vector<Segment>& segments, const TakePiece& take) const {
  for (std::size_t i = 0; i < segments.size(); ++i) {
    std::string_view text = segments[i].text;
    if (segments[i].id != model_.unknown_id) {
      take(segments[i].id, text);
    } else if (!byte_ids_.empty()) {
      for (const char byte : text) {
        const int id = byte_ids_[static_cast<unsigned char>(byte)];
        take(id, piece(id));
      }
    } else {
      for (; i + 1 < segments.size() && segments[i + 1].id == model_.unknown_id; ++i) {
        text = std::string_view(text.data(), text.size() + segments[i + 1].text.size());
      }
      take(model_.unknown_id, text);
    }
  }
}

}  // namespace gloss

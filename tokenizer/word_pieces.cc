// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/word_pieces.h"

#include <algorithm>

#include "base/error.h"
#include "base/utf8.h"
#include "tokenizer/basic_words.h"
#include "tokenizer/text.h"

namespace gloss {
namespace {

constexpr std::int64_t kLongestBertWord = 100;    // characters; BERT's limit
constexpr std::string_view kContinuation = "##";  // of BERT

}  // namespace

std::string WordPieces::piece_text(int id) const {
  if (is_special(id)) return "";
  const std::string_view text = piece(id);
  return text.starts_with(kPieceSpace) ? concat(" ", text.substr(kPieceSpace.size())) : std::string(text);
}

void WordPieces::encode_word(std::string_view word, std::vector<int>& ids) const {
  if (words_.find(word, ids)) return;
  std::vector<int> found;
  const std::string marked = concat(kPieceSpace, word);
  std::string_view rest = marked;
  while (!rest.empty() && count_characters(word) <= kLongestBertWord) {
    std::size_t size = rest.size();
    int id = find(rest);
    while (id < 0 && size > 0) {
      do --size;
      while (size > 0 && (static_cast<unsigned char>(rest[size]) & 0xC0) == 0x80);
      if (size > 0) id = find(rest.substr(0, size));
    }
    // The mark of the first piece is no piece by itself.
    if (id < 0 || (found.empty() && size <= kPieceSpace.size())) break;
    found.push_back(id);
    rest.remove_prefix(size);
  }
  if (!rest.empty()) found.assign(1, unknown_id());
  words_.insert(word, found);
  ids.insert(ids.end(), found.begin(), found.end());
}

void WordPieces::encode(std::string_view text, std::vector<int>& ids) const {
  for_each_basic_word(text, lower_case_, [&](std::string_view word) { encode_word(word, ids); });
}

void WordPieces::split(std::string_view text, const TakePiece& take) const {
  std::vector<int> ids;
  for_each_basic_word(text, lower_case_, [&](std::string_view word) {
    ids.clear();
    encode_word(word, ids);
    for (const int id : ids) {
      if (id == unknown_id()) {
        take(id, concat(kPieceSpace, word));
      } else {
        take(id, piece(id));
      }
    }
  });
}

std::string WordPieces::join(std::size_t count, const PieceAt& piece_at) const {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    std::string_view piece = piece_at(i);
    const bool starts = piece.starts_with(kPieceSpace);
    if (starts) piece.remove_prefix(kPieceSpace.size());
    if (i == 0 && !starts) text += kContinuation;  // of no word, as in BERT's tokenizer
    if (i > 0 && starts) text += ' ';
    text += piece;
  }
  return text;
}

}  // namespace gloss

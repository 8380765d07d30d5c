// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/piece_words.h"

#include <algorithm>
#include <bit>

#include "base/utf8.h"
#include "tokenizer/characters.h"
#include "tokenizer/model_file.h"

namespace gloss {
namespace {

/// True if the text begins with an incomplete UTF-8 character.
bool begins_within_character(const std::string& text) {
  if (text.empty() || static_cast<unsigned char>(text[0]) < 0x80) return false;
  const std::size_t size = text[0] & 0x40 ? std::countl_one(static_cast<unsigned char>(text[0])) : 1;
  return !is_valid_utf8(std::string_view(text).substr(0, size));
}

}  // namespace

bool is_word_character(char32_t character) {
  return character > ' ' && character != 0xfffd && !is_white_space(character) && !is_punctuation(character) &&
         !is_symbol(character);
}

bool between_words(const std::string& text, std::size_t place) {
  constexpr std::size_t kLongestCharacter = 4;  // bytes of UTF-8
  if (place == 0 || place >= text.size()) return true;
  std::size_t before = place - 1;
  while (before > 0 && (static_cast<unsigned char>(text[before]) & 0xc0) == 0x80) --before;
  const std::u32string left = code_points(std::string_view(text).substr(before, place - before));
  const std::u32string right = code_points(std::string_view(text).substr(place, kLongestCharacter));
  return !is_word_character(left.back()) || !is_word_character(right.front());
}

std::vector<std::string> piece_texts(const Subwords& subwords) {
  std::vector<std::string> texts;
  for (int id = 0; id < subwords.size(); ++id) texts.push_back(subwords.piece_text(id));
  return texts;
}

std::shared_ptr<const std::vector<bool>> word_continuations(const Subwords& subwords) {
  auto continues = std::make_shared<std::vector<bool>>();
  for (const std::string& text : piece_texts(subwords)) {
    continues->push_back(begins_within_character(text) ||
                         (!text.empty() && is_word_character(code_points(text).front())));
  }
  return continues;
}

PieceWords words_of(const std::vector<std::string>& pieces, const std::string& unknown) {
  PieceWords result;
  bool has_text = false;  // the last word is not only spaces
  bool space = false;     // a space follows the last piece
  for (const std::string& piece : pieces) {
    const bool alone = !unknown.empty() && piece == unknown;
    if (result.words.empty() || (has_text && (space || alone || piece.starts_with(kPieceSpace)))) {
      result.words.emplace_back();
      has_text = false;
    }
    space = alone;
    result.words.back().push_back(piece);
    result.word_of_piece.push_back(static_cast<int>(result.words.size()) - 1);
    has_text = has_text || piece != kPieceSpace;
  }
  return result;
}

std::vector<std::size_t> token_ends(const std::vector<std::string>& tokens, const std::string& text) {
  std::vector<std::size_t> ends;
  std::size_t at = 0;
  for (std::string_view token : tokens) {
    if (token.starts_with(kPieceSpace)) token.remove_prefix(kPieceSpace.size());
    for (const char byte : token) {
      if (byte == ' ') continue;
      while (at < text.size() && text[at] == ' ') ++at;
      if (at == text.size() || text[at] != byte) return ends;
      ++at;
    }
    ends.push_back(at);
  }
  return ends;
}

std::string word_text(const Subwords& subwords, const std::vector<std::string>& pieces) {
  const std::string text = subwords.decode_pieces(pieces);
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

}  // namespace gloss

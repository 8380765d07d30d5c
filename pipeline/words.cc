#include "pipeline/words.h"

#include <algorithm>
#include <charconv>

#include "tokenizer/characters.h"

namespace gloss {
namespace {

constexpr std::string_view kSpace = "\xE2\x96\x81";

/// The byte that a piece such as <0x41> stands for, or the piece itself.
std::string byte_or_piece(const std::string& piece) {
  if (piece.size() != 6 || !piece.starts_with("<0x") || piece.back() != '>') return piece;
  unsigned byte = 0;
  const auto [end, error] = std::from_chars(piece.data() + 3, piece.data() + 5, byte, 16);
  if (error != std::errc() || end != piece.data() + 5) return piece;
  return std::string(1, static_cast<char>(byte));
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

std::string piece_text(const std::string& piece) {
  std::string text;
  for (std::size_t i = 0; i < piece.size();) {
    const bool space = piece.compare(i, kSpace.size(), kSpace) == 0;
    text += space ? ' ' : piece[i];
    i += space ? kSpace.size() : 1;
  }
  return text;
}

std::vector<std::string> piece_texts(const Subwords& subwords) {
  std::vector<std::string> texts;
  for (int id = 0; id < subwords.size(); ++id) {
    if (id == subwords.unknown_id()) {
      texts.push_back(" \xE2\x81\x87 ");  // as SentencePiece writes it
    } else if (id == subwords.begin_id() || id == subwords.end_id()) {
      texts.push_back("");
    } else {
      texts.push_back(piece_text(byte_or_piece(subwords.piece(id))));
    }
  }
  return texts;
}

std::shared_ptr<const std::vector<bool>> word_continuations(const Subwords& subwords) {
  auto continues = std::make_shared<std::vector<bool>>();
  for (const std::string& text : piece_texts(subwords)) {
    const bool part = text.size() == 1 && static_cast<unsigned char>(text[0]) >= 0x80;  // of a character
    continues->push_back(part || (!text.empty() && is_word_character(code_points(text).front())));
  }
  return continues;
}

PieceWords words_of(const std::vector<std::string>& pieces) {
  PieceWords result;
  bool has_text = false;  // the last word has more than spaces
  for (const std::string& piece : pieces) {
    if (result.words.empty() || (has_text && piece.starts_with(kSpace))) {
      result.words.emplace_back();
      has_text = false;
    }
    result.words.back().push_back(piece);
    result.word_of_piece.push_back(static_cast<int>(result.words.size()) - 1);
    has_text = has_text || piece != kSpace;
  }
  return result;
}

}  // namespace gloss

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tokenizer/subword.h"

namespace gloss {

/// True for letters, digits and marks: what words are made of.
bool is_word_character(char32_t character);
/// True if no word goes on from the byte before `place` to the byte at `place`.
bool between_words(const std::string& text, std::size_t place);

/// A piece as it stands in running text, with spaces for U+2581.
std::string piece_text(const std::string& piece);
/// The same of all pieces of a vocabulary; byte pieces give their byte, <s> and </s> nothing.
std::vector<std::string> piece_texts(const Subwords&);
/// Of each piece of a vocabulary, whether it goes on with the word before it.
std::shared_ptr<const std::vector<bool>> word_continuations(const Subwords&);

/// The words that pieces make: a piece that begins with a space begins a word.
struct PieceWords {
  std::vector<int> word_of_piece;
  std::vector<std::vector<std::string>> words;  ///< the pieces of each
};
PieceWords words_of(const std::vector<std::string>& pieces);

}  // namespace gloss

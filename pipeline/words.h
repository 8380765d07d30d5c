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

/// The pieces of a vocabulary as they stand in running text (Subwords::piece_text).
std::vector<std::string> piece_texts(const Subwords&);
/// Of each piece of a vocabulary, whether it goes on with the word before it.
std::shared_ptr<const std::vector<bool>> word_continuations(const Subwords&);

/// The words that pieces make, those that stand between spaces in their text: a piece that begins with a
/// space begins a word.
struct PieceWords {
  std::vector<int> word_of_piece;
  std::vector<std::vector<std::string>> words;  ///< the pieces of each
};
/// `unknown` is a piece that is written with spaces around it and so a word of its own; empty: there is none.
PieceWords words_of(const std::vector<std::string>& pieces, const std::string& unknown = {});
/// The text of a word's pieces, without the spaces around it.
std::string word_text(const Subwords&, const std::vector<std::string>& pieces);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tokenizer/subword.h"

namespace gloss {

/// True for the characters of words: letters, digits and marks.
bool is_word_character(char32_t character);
/// True if no word continues across the offset `place`.
bool between_words(const std::string& text, std::size_t place);

/// The text of the pieces of a vocabulary (Subwords::piece_text).
std::vector<std::string> piece_texts(const Subwords&);
/// For each piece of a vocabulary, whether it continues the word before it.
std::shared_ptr<const std::vector<bool>> word_continuations(const Subwords&);

/// The words, separated by spaces, of a sequence of pieces: a piece that begins with a space begins a word.
struct PieceWords {
  std::vector<int> word_of_piece;
  std::vector<std::vector<std::string>> words;  ///< the pieces of each
};
/// `unknown`: a piece that is written with spaces around it and is its own word; empty: none.
PieceWords words_of(const std::vector<std::string>& pieces, const std::string& unknown = {});
/// The offset in `text` at which each of its tokens ends, given the texts of the tokens. Ends before the
/// first token that does not spell the text, which happens if the tokenizer normalises it or the last
/// character is incomplete.
std::vector<std::size_t> token_ends(const std::vector<std::string>& tokens, const std::string& text);
/// The text of a word's pieces, without the spaces around it.
std::string word_text(const Subwords&, const std::vector<std::string>& pieces);

}  // namespace gloss

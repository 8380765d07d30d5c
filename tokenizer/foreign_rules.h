// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gloss {

class Subwords;

/// How a tokenizer of another program treats text, where SentencePiece's format has no field for it. Stored
/// in a field of a tokenizer file that SentencePiece ignores.
struct ForeignRules {
  /// How the text between special pieces is split.
  enum class Kind {
    sentence_pieces = 0,  ///< as SentencePiece does
    word_pieces = 1,      ///< BERT's: each word into the longest pieces, from its start
    ranked_pairs = 2,     ///< GPT-2's byte-level BPE: given pairs are merged in a given order
    words = 3             ///< at spaces: a word is a piece
  };
  /// A special piece, which is recognised in text and has no text of its own.
  struct Special {
    int id = 0;
    bool takes_spaces = false;  ///< spaces before it belong to it
  };
  Kind kind = Kind::sentence_pieces;
  int size = 0;  ///< number of pieces in use; a piece after them counts as the unknown one
  int begin = -1, end = -1;
  std::vector<Special> specials;
  std::vector<int> never_generated;   ///< ids that a translation must not contain, such as that of padding
  bool never_probable = false;        ///< those ids have probability 0; the others' probabilities sum to 1
  bool lower_case = false;            ///< of word pieces: lower-cases, removes accents
  bool attaches_punctuation = false;  ///< decoding removes spaces before . , ? ! and English contractions
  /// Of SentencePiece models: text right after a special piece continues its word, without a space before it.
  bool continues_specials = false;
  /// Of ranked pairs: the ids of the pieces to merge, in order; the merged piece has the texts of both.
  std::vector<std::pair<int, int>> merges;
};

/// True if a tokenizer's ids that are never generated have probability 0.
bool never_probable(const Subwords&);

/// The number of the field in a tokenizer file.
inline constexpr unsigned kForeignRulesField = 200;
/// The content of that field.
std::string write_rules(const ForeignRules&);
/// Parses it. Throws InputError, naming `where`, if it is damaged or has ids outside a vocabulary of `pieces`
/// pieces.
ForeignRules read_rules(std::string_view message, std::size_t pieces, const std::string& where);

}  // namespace gloss

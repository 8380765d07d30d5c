// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tokenizer/foreign_rules.h"

namespace gloss {

/// The vocabulary of another program, in its own spelling; the id of a piece is its index.
struct ForeignVocabulary {
  std::vector<std::string> pieces;
  int unknown = -1;
  int begin = -1, end = -1;  ///< -1: none
  /// Pieces without a text of their own, which are recognised in text.
  std::vector<ForeignRules::Special> specials;
  std::vector<int> never_generated;  ///< ids that a translation must not contain
  bool never_probable = false;       ///< see ForeignRules
  /// Decoding removes spaces before punctuation, as transformers does by default.
  bool attaches_punctuation = false;
  bool continues_specials = false;  ///< see ForeignRules
};

// The bytes of a tokenizer file (Subwords::from_bytes) for a vocabulary. Each throws InputError, naming
// `where`, if the vocabulary has a piece twice, or an id is outside it.

/// BERT's WordPiece; "##" precedes the pieces within words.
std::string word_piece_file(const ForeignVocabulary&, bool lower_case, const std::string& where);
/// GPT-2's byte-level BPE; the merges have the spelling of the pieces. Merges that do not give a piece are
/// refused.
std::string ranked_pairs_file(const ForeignVocabulary&,
                              const std::vector<std::pair<std::string, std::string>>& merges,
                              const std::string& where);
/// Words between spaces.
std::string words_file(const ForeignVocabulary&, const std::string& where);
/// A SentencePiece model whose pieces have the ids of the vocabulary. Pieces of the model that are not in the
/// vocabulary are split as before, but count as unknown. A piece that only the vocabulary has is found only
/// as a whole run of characters that the model does not know.
std::string renumbered_file(const ForeignVocabulary&, std::string_view sentence_piece_model,
                            const std::string& where);

/// The pieces of a tokenizer file by their ids, in the spelling of the other program: the inverse of the
/// above. Pieces of other tokenizer files are unchanged.
std::vector<std::string> foreign_spellings(std::string_view tokenizer_file, const std::string& where);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace gloss {

/// A tokenizer.json: the file of the tokenizers library, which has what older files say separately.
struct TokenizerJson {
  /// The kinds of tokenizers that gloss has as well.
  enum class Kind { byte_pairs, word_pieces, sentence_pieces };
  /// A token that is recognised in text.
  struct Added {
    int id;
    std::string text;
    bool takes_spaces;  ///< spaces before it belong to it
  };

  std::string path;
  Kind kind = Kind::byte_pairs;
  std::vector<std::string> pieces;  ///< by their ids
  std::vector<Added> added;
  std::vector<std::pair<std::string, std::string>> merges;  ///< of byte pairs, in order
  bool lower_case = false;                                  ///< of word pieces
  bool continues_specials = false;                          ///< see ForeignRules
  std::string sentence_piece_model;  ///< a file with the pieces, their scores and normalisation
};

/// Reads it. Throws InputError, naming the part, for what gloss cannot do exactly: byte-level BPE other than
/// GPT-2's, WordPiece other than BERT's, Unigram and BPE other than SentencePiece's, and other models.
TokenizerJson read_tokenizer_json(const std::string& path);

}  // namespace gloss

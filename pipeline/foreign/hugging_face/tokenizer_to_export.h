// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tokenizer/model_file.h"
#include "tokenizer/subword.h"

namespace gloss {

/// A tokenizer taken apart, in the terms of other programs.
class TokenizerToExport {
 public:
  /// The kinds that transformers distinguishes.
  enum class Kind {
    word_pieces,      ///< BERT's
    byte_pairs,       ///< GPT-2's
    fairseq_pieces,   ///< SentencePiece's, numbered as in fairseq: <s>, <pad>, </s>, <unk> come first
    sentence_pieces,  ///< others of SentencePiece
    words,            ///< words between spaces
    own_byte_level    ///< those of byte-level vocabularies that gloss learns
  };

  explicit TokenizerToExport(const Subwords&);

  Kind kind() const { return kind_; }
  bool lower_case() const { return rules_.lower_case; }
  bool continues_specials() const { return rules_.continues_specials; }
  /// The ids of special pieces, which are recognised in text, and whether spaces before them belong to them.
  const std::map<int, bool>& specials() const { return specials_; }

  /// The pieces in the spelling of other programs, by their ids.
  const std::vector<std::string>& pieces() const { return pieces_; }
  const std::string& piece(int id) const;
  /// The id of a piece; -1 if there is none.
  int id(const std::string& piece) const;
  int unknown() const { return file_.unknown_id; }
  bool is_special(int id) const { return specials_.contains(id); }
  /// The padding token, by its usual names: <pad> or [PAD]; -1 if there is none.
  int padding() const;

  /// The number of pieces without those at the end that only fill the vocabulary up to the embeddings.
  int used() const { return used_; }
  /// The number of pieces without all special ones at the end.
  int without_last_specials() const;
  /// The pieces from one id to another as "piece": id.
  nlohmann::json ids(int count) const;
  /// The merges, in order.
  std::vector<std::pair<std::string, std::string>> merges() const;
  /// The SentencePiece model from which the file was made, with these pieces of it and `first` before them;
  /// the file itself if it is SentencePiece's own.
  std::string sentence_pieces(std::vector<Piece> first, int from, int to) const;

 private:
  std::string bytes_;
  ModelFile file_;
  ForeignRules rules_;
  std::map<int, bool> specials_;
  std::vector<std::string> pieces_;
  Kind kind_;
  int used_;
};

}  // namespace gloss

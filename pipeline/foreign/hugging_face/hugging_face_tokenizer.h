// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "pipeline/foreign/hugging_face/hugging_face_files.h"
#include "pipeline/foreign/hugging_face/hugging_face_special_tokens.h"
#include "tokenizer/foreign_vocabulary.h"
#include "tokenizer/subword.h"

namespace gloss {

/// A vocabulary in the making: pieces by their ids, and which of them are special.
class VocabularyOfDirectory {
 public:
  VocabularyOfDirectory(const HuggingFaceFiles&, SpecialTokens);

  /// The pieces of vocab.json, or of vocab.txt. Of this and the following, tokenizer.json takes the place if
  /// the older files are missing.
  void take_json(const std::string& name);
  void take_lines(const std::string& name);
  /// The pieces of a SentencePiece model after <s>, <pad>, </s> and <unk>, as fairseq numbers them.
  void take_fairseq_pieces(const std::string& name);
  /// The pieces of a SentencePiece model.
  void take_pieces(const std::string& name);
  /// Adds special pieces at the end that are not there yet.
  void append(const std::vector<std::string>& pieces);
  /// Puts the added tokens in their places and fills up to `size` with pieces without text. Returns how many
  /// of these there are.
  int complete(int size);

  /// The id of a piece; throws InputError if there is none.
  int id(const std::string& piece) const;
  bool has(const std::string& piece) const { return ids_.contains(piece); }
  const SpecialTokens& specials() const { return specials_; }
  const std::vector<std::string>& pieces() const { return pieces_; }
  /// The file that messages name.
  const std::string& path() const { return path_; }

  /// The vocabulary with the special tokens that the files name. Throws InputError if <unk> or the ids of
  /// begin and end are no pieces.
  ForeignVocabulary vocabulary(int begin, int end, const std::string& unknown) const;

 private:
  void take(std::vector<std::string> pieces, const std::string& path);
  /// Takes the pieces of tokenizer.json, if that is used; throws InputError if it is of another kind.
  bool take_whole(TokenizerJson::Kind kind);

  const HuggingFaceFiles& files_;
  SpecialTokens specials_;
  std::vector<std::string> pieces_;
  std::map<std::string, int> ids_;
  std::set<int> special_ids_;
  std::string path_;
};

/// The tokenizer of a vocabulary and a SentencePiece model, or merges.txt, in the directory.
std::shared_ptr<const Subwords> sentence_piece_tokenizer(const HuggingFaceFiles&, const ForeignVocabulary&,
                                                         const std::string& model_file);
std::shared_ptr<const Subwords> byte_pair_tokenizer(const HuggingFaceFiles&, const ForeignVocabulary&);

}  // namespace gloss

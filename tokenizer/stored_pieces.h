// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/index.h"
#include "tokenizer/model_file.h"
#include "tokenizer/sentence_pieces.h"
#include "tokenizer/subword_model.h"

namespace gloss {

/// What the models that SentencePiece can load have in common: the pieces of the file.
class StoredPieces : public SubwordModel {
 public:
  int size() const override { return static_cast<int>(model_.pieces.size()); }
  const std::string& piece(int id) const override { return model_.pieces[index(id)].text; }
  int unknown_id() const override { return model_.unknown_id; }
  int begin_id() const override { return sentence_pieces_.begin_id(); }
  int end_id() const override { return sentence_pieces_.end_id(); }

 protected:
  /// `model` is what `read_model_file` found in `bytes`; messages call them `where`.
  StoredPieces(ModelFile model, std::string_view bytes, const std::string& where)
      : model_(std::move(model)), sentence_pieces_(bytes, where) {}

  const ModelFile model_;
  const SentencePieces sentence_pieces_;
};

}  // namespace gloss

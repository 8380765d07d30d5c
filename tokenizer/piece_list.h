// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <unordered_map>

#include "tokenizer/model_file.h"
#include "tokenizer/subword_model.h"

namespace gloss {

/// What models that do not use SentencePiece have in common: a list of pieces, found by their texts. Special
/// pieces are not found and have no text.
class PieceList : public SubwordModel {
 public:
  explicit PieceList(const ModelFile& file);
  PieceList(const PieceList&) = delete;
  PieceList& operator=(const PieceList&) = delete;

  int size() const override { return static_cast<int>(pieces_.size()); }
  const std::string& piece(int id) const override;
  int unknown_id() const override { return unknown_; }
  int begin_id() const override { return -1; }
  int end_id() const override { return -1; }
  std::string reason_against_sampling() const override;
  void sample(std::string_view text, double dropout, Random& random, const TakePiece& take) const override;

 protected:
  /// The id of a piece of text, or -1.
  int find(std::string_view piece) const;
  bool is_special(int id) const;

 private:
  std::vector<Piece> pieces_;
  std::unordered_map<std::string_view, int> ids_;
  int unknown_;
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <array>
#include <unordered_map>

#include "tokenizer/foreign_rules.h"
#include "tokenizer/model_file.h"
#include "tokenizer/subword_model.h"

namespace gloss {

/// A model with the rules of another program: recognises special pieces, lets another model split the text
/// between them, and counts its pieces that are not in use as unknown.
class ForeignSubwords : public SubwordModel {
 public:
  /// `file` is what `read_model_file` found; `between` splits the text between special pieces.
  ForeignSubwords(const ModelFile& file, std::unique_ptr<const SubwordModel> between);

  int size() const override { return rules_.size; }
  const std::string& piece(int id) const override { return between_->piece(id); }
  std::string piece_text(int id) const override;
  int unknown_id() const override { return between_->unknown_id(); }
  int begin_id() const override { return rules_.begin; }
  int end_id() const override { return rules_.end; }
  std::vector<int> never_generated() const override { return rules_.never_generated; }

  void encode(std::string_view text, std::vector<int>& ids) const override;
  void split(std::string_view text, const TakePiece& take) const override;
  std::string decode(std::span<const int> ids) const override;
  std::string join(std::size_t count, const PieceAt& piece_at) const override;

  std::string reason_against_sampling() const override { return between_->reason_against_sampling(); }
  void sample(std::string_view text, double dropout, Random& random, const TakePiece& take) const override;

 private:
  /// The special piece at the start of a text, the longest one; null if there is none.
  const ForeignRules::Special* special_at(std::string_view text) const;
  /// Calls `take_text` with the text between special pieces, and whether it continues one, and
  /// `take_special` with each of them.
  template <class TakeText, class TakeSpecial>
  void for_each_stretch(std::string_view text, const TakeText& take_text,
                        const TakeSpecial& take_special) const;
  /// Calls `take` with the id of a piece: of the piece with its text if it is unknown to the other model, and
  /// the unknown one if it is not in use.
  TakePiece known_only(const TakePiece& take) const;
  std::string finished(std::string text) const;

  ForeignRules rules_;
  std::unique_ptr<const SubwordModel> between_;
  std::unordered_map<std::string_view, ForeignRules::Special> specials_;
  std::unordered_map<std::string_view, int> only_listed_;    // pieces that the other model does not find
  std::vector<bool> without_text_;                           // by id
  std::array<std::vector<std::size_t>, 256> special_sizes_;  // by first byte, longest first
};

}  // namespace gloss

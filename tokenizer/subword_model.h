// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"

namespace gloss {

/// A kind of subword model: how text is split into pieces and pieces are joined to text. `Subwords` is its
/// interface to the rest of the program and describes each function. Thread-safe.
class SubwordModel {
 public:
  using TakePiece = std::function<void(int id, std::string_view piece)>;
  using PieceAt = std::function<const std::string&(std::size_t number)>;

  virtual ~SubwordModel() = default;

  virtual int size() const = 0;
  virtual const std::string& piece(int id) const = 0;
  virtual std::string piece_text(int id) const = 0;
  virtual int unknown_id() const = 0;
  virtual int begin_id() const = 0;
  virtual int end_id() const = 0;
  virtual std::vector<int> never_generated() const { return {}; }

  /// Appends the ids of a text.
  virtual void encode(std::string_view text, std::vector<int>& ids) const = 0;
  /// Calls `take` for each piece of a text; unknown pieces are the text itself.
  virtual void split(std::string_view text, const TakePiece& take) const = 0;
  /// `split` for text right after a special piece, to which it belongs: no space is put before it.
  virtual void split_continued(std::string_view text, const TakePiece& take) const { split(text, take); }
  /// The text of ids, which are in the vocabulary; may contain newlines.
  virtual std::string decode(std::span<const int> ids) const {
    return join(ids.size(), [&](std::size_t i) -> const std::string& { return piece(ids[i]); });
  }
  /// The text of pieces; those outside the vocabulary are kept as text.
  virtual std::string join(std::size_t count, const PieceAt& piece_at) const = 0;

  virtual std::string reason_against_sampling() const = 0;
  /// `split` with subword dropout. Throws InputError if there is a reason against it.
  virtual void sample(std::string_view text, double dropout, Random& random, const TakePiece& take) const = 0;
};

/// Checks and reads the bytes of a tokenizer file of any kind; messages call it `where`. The bytes must
/// outlive the model.
std::unique_ptr<const SubwordModel> read_subword_model(std::string_view bytes, const std::string& where);

}  // namespace gloss

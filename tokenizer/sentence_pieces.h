// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace sentencepiece {
class SentencePieceProcessor;
}

namespace gloss {

/// A model loaded into SentencePiece, which it lets split and join text of any length in little memory.
/// Thread-safe.
class SentencePieces {
 public:
  using TakePiece = std::function<void(int id, std::string_view piece)>;
  using PieceAt = std::function<const std::string&(std::size_t number)>;

  /// Throws InputError, naming `where`, if SentencePiece refuses the bytes of a model file.
  SentencePieces(std::string_view bytes, const std::string& where);
  ~SentencePieces();

  /// Calls `take(id, piece)` for the pieces into which SentencePiece splits a text. A long text is split in
  /// parts, and a long run of unknown characters too: for that, SentencePiece takes time quadratic in its
  /// length.
  void split(std::string_view text, const TakePiece& take) const { split_parts(text, true, take); }
  /// The same for text that continues a line, so that SentencePiece must not put a space before it.
  void split_continued(std::string_view text, const TakePiece& take) const { split_parts(text, false, take); }
  /// The text of the pieces `piece_at(0)` to `piece_at(count - 1)`, decoded some at a time.
  std::string decode(std::size_t count, const PieceAt& piece_at) const;
  bool is_byte(int id) const;
  /// The id of <s>, or -1 if the model has none.
  int begin_id() const;
  /// The id of </s>, or -1 if the model has none.
  int end_id() const;

 private:
  /// The size of the first part of `text` that can be split alone: of all, or up to a place within a run of
  /// characters that are in no piece.
  std::size_t independent_size(std::string_view text) const;
  /// True if all characters are in no piece and the normalisation keeps them.
  bool is_unknown(std::string_view text) const;
  /// True if a piece has the character.
  bool is_in_pieces(char32_t character) const;
  /// `split`, or `split_continued` if the text does not begin a line.
  void split_parts(std::string_view text, bool begins, const TakePiece& take) const;
  /// `split_continued` for a part of a text.
  void split_continuation(std::string_view part, const TakePiece& take) const;

  std::unique_ptr<sentencepiece::SentencePieceProcessor> processor_;
  mutable std::once_flag collected_;
  mutable std::vector<char32_t> characters_;  // of all pieces, ascending; collected for the first long text
};

}  // namespace gloss

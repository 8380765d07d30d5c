// SPDX-License-Identifier: Apache-2.0

#pragma once

#include "tokenizer/bpe.h"
#include "tokenizer/stored_pieces.h"
#include "tokenizer/word_cache.h"

namespace gloss {

/// A SentencePiece model whose pieces are characters of the text.
class TextPieces : public StoredPieces {
 public:
  TextPieces(ModelFile model, std::string_view bytes, const std::string& where);

  std::string piece_text(int id) const override;

  void encode(std::string_view text, std::vector<int>& ids) const override;
  void split(std::string_view text, const TakePiece& take) const override;
  void split_continued(std::string_view text, const TakePiece& take) const override {
    sentence_pieces_.split_continued(text, take);
  }
  std::string join(std::size_t count, const PieceAt& piece_at) const override;

  std::string reason_against_sampling() const override;
  void sample(std::string_view text, double dropout, Random& random, const TakePiece& take) const override;

 private:
  /// True if the words of the text can be encoded independently.
  bool by_words(std::string_view text) const;
  /// Appends the ids of a word, from the cache if possible. Requires `by_words`.
  void encode_word(std::string_view word, std::vector<int>& ids) const;
  /// The text after SentencePiece's normalisation.
  std::string normalized(std::string_view text) const;
  /// Calls `take` for each segment as SentencePiece does: adjacent unknown segments are joined, or become
  /// bytes with byte fallback.
  void take_segments(const std::vector<Segment>& segments, const TakePiece& take) const;

  std::unique_ptr<BytePairs> byte_pairs_;  // null if the model is not a BPE model
  std::vector<int> byte_ids_;              // ids of the byte pieces; empty without byte fallback
  mutable WordCache words_;
};

}  // namespace gloss

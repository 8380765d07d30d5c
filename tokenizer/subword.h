// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/listener.h"
#include "base/random.h"

namespace gloss {

/// A subword model in SentencePiece's format (BPE, unigram or characters): converts between text, pieces and
/// ids. Thread-safe. Of the models that `learn_subwords` returns, byte-level models
/// (`VocabularyType::byte_bpe`) preserve all text; character models preserve all but U+2581, which represents
/// a space in pieces and decodes to one; the others also remove leading and trailing spaces and merge
/// repeated ones. A word, or where words are not split independently a line, of more than 128 KiB is split in
/// parts, to bound the memory; SentencePiece may join known characters there.
class Subwords {
 public:
  /// Reads a model file; throws InputError if it is missing, damaged or hostile (checked before SentencePiece
  /// loads it).
  static Subwords load(const std::string& path);
  /// Reads the bytes of a model file; messages call them `where`.
  static Subwords from_bytes(std::string bytes, const std::string& where);
  Subwords(Subwords&&) noexcept;
  Subwords& operator=(Subwords&&) noexcept;
  ~Subwords();

  /// The ids of a line of valid UTF-8, without begin and end tokens; the same as spm_encode's.
  std::vector<int> encode(std::string_view text) const;
  /// The pieces of a line; characters without a piece are kept as they are.
  std::vector<std::string> encode_pieces(std::string_view text) const;
  /// The pieces of a line, separated by spaces; needs less memory than `encode_pieces`.
  std::string encode_text(std::string_view text) const;
  /// Encodes with BPE dropout: skips each merge with probability `dropout` (Provilkov et al. 2020), drawn
  /// from `random` only. 0 is the same as `encode`, 1 gives single characters. Throws InputError if the model
  /// is not a BPE model.
  std::vector<int> sample(std::string_view text, double dropout, Random& random) const;
  std::vector<std::string> sample_pieces(std::string_view text, double dropout, Random& random) const;
  /// Why `sample` would throw, for messages; empty if it would not.
  std::string reason_against_sampling() const;
  /// The text of ids as one line of valid UTF-8: newlines, which byte pieces can produce, become spaces.
  /// Throws InputError for ids outside the vocabulary.
  std::string decode(std::span<const int> ids) const;
  /// The text of pieces; pieces outside the vocabulary are kept as text.
  std::string decode_pieces(const std::vector<std::string>& pieces) const;

  /// The number of pieces; their ids are 0 to size() - 1.
  int size() const;
  /// The piece of an id, with U+2581 for spaces; pieces of byte-level models consist of byte characters.
  const std::string& piece(int id) const;
  /// The bytes of text that a piece represents, possibly incomplete characters; empty for control pieces.
  std::string piece_text(int id) const;
  int unknown_id() const;
  /// The id of <s>, or -1 if the model has none; models from `learn_subwords` have it by default.
  int begin_id() const;
  /// The id of </s>, or -1 if the model has none.
  int end_id() const;
  /// The ids of pieces that a translation must not contain; only vocabularies of other programs have some.
  std::vector<int> never_generated() const;
  /// The bytes of the model file, to be stored in a model directory.
  const std::string& bytes() const;

 private:
  Subwords();
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// The algorithm that learns a vocabulary.
enum class VocabularyType {
  bpe,        ///< merges the most frequent pairs of characters (Sennrich et al. 2016)
  unigram,    ///< pieces that maximise the probability of the text (Kudo 2018)
  character,  ///< single characters
  byte_bpe,   ///< merges pairs of bytes within words (Radford et al. 2019); no text is unknown
  word        ///< whole words in lower case, without accents, and punctuation marks
};
Choice vocabulary_type_choice(VocabularyType&);

/// How a subword vocabulary is learned.
struct SubwordSettings {
  VocabularyType type = VocabularyType::bpe;
  int size = 8000;  ///< number of pieces with special ones; the maximum for characters and words
  double character_coverage = 1.0;  ///< fraction of character occurrences that pieces must cover
  bool byte_fallback = false;       ///< encode characters without a piece as bytes instead of <unk>
  /// <s> is a piece. Without it targets begin with a zero vector, and the ids are those of Marian.
  bool begin_piece = true;
  std::vector<std::string> user_symbols;  ///< symbols that are never split
  std::int64_t sample_lines = 5'000'000;  ///< maximum number of lines to learn from, sampled at random
  std::int64_t seed = 1;
  bool at_most = false;  ///< a text that has no more pieces may have a smaller vocabulary
};
Fields fields_of(SubwordSettings&);
/// Throws UsageError if settings contradict each other.
void check(const SubwordSettings&);

/// Learns a model from clean lines; `next_line` returns false at the end. Ids: 0 unknown, 1 begin, 2 end; or,
/// without a begin piece, 0 end, 1 unknown.
/// Memory is bounded: from more than `sample_lines` lines it draws a sample and reports that to `listener`;
/// character models count all lines. The model does not depend on the number of threads. Throws InputError
/// with the possible number of pieces if the text is too small for the size; character and word models
/// may be smaller.
Subwords learn_subwords(const std::function<bool(std::string&)>& next_line, const SubwordSettings&,
                        int threads, Listener& listener);

/// The version of SentencePiece that gloss was built with, as its library cannot be asked.
std::string sentencepiece_version();

}  // namespace gloss

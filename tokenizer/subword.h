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

/// A subword model in SentencePiece's format (BPE, unigram or characters): text <-> pieces <-> ids. Safe to
/// use from many threads. Of the models that `learn_subwords` makes, those of bytes
/// (`VocabularyType::byte_bpe`) leave every text as it is, and those of characters but for U+2581, which
/// stands for a space within pieces and decodes to one. The others change spaces besides: those at both ends
/// go, several between two words become one.
class Subwords {
 public:
  /// Reads a model file; throws InputError if it is missing, damaged or hostile (checked before SentencePiece
  /// sees it).
  static Subwords load(const std::string& path);
  /// From the bytes of a model file; `where` names them in messages.
  static Subwords from_bytes(std::string bytes, const std::string& where);
  Subwords(Subwords&&) noexcept;
  Subwords& operator=(Subwords&&) noexcept;
  ~Subwords();

  /// The ids of a line, without begin and end tokens; exactly those of spm_encode. `text` is valid UTF-8.
  std::vector<int> encode(std::string_view text) const;
  /// The pieces of a line, and as they are those of its characters that have none.
  std::vector<std::string> encode_pieces(std::string_view text) const;
  /// Ids with each BPE merge left out with probability `dropout` (Provilkov et al. 2020), drawn from
  /// `random` and nothing else: 0 is `encode`, 1 gives single characters. Throws InputError if the model is
  /// no BPE.
  std::vector<int> sample(std::string_view text, double dropout, Random& random) const;
  std::vector<std::string> sample_pieces(std::string_view text, double dropout, Random& random) const;
  /// The text of ids, always one line of valid UTF-8: a line end, which byte pieces can make, becomes a
  /// space. Ids outside the vocabulary throw InputError.
  std::string decode(std::span<const int> ids) const;
  /// The same from pieces; what is no piece of the vocabulary is kept as text.
  std::string decode_pieces(const std::vector<std::string>& pieces) const;

  /// How many pieces there are; their ids are 0 to size() - 1.
  int size() const;
  /// The piece of an id, with U+2581 for a space; in a model of bytes each character stands for one.
  const std::string& piece(int id) const;
  /// The bytes of text that a piece stands for, be they whole characters or not; control pieces give none.
  std::string piece_text(int id) const;
  int unknown_id() const;
  /// The id of <s>, or -1 if the model has none; models that `learn_subwords` makes have it.
  int begin_id() const;
  /// The id of </s>, or -1.
  int end_id() const;
  /// The bytes of the model file, to be stored in a model directory.
  const std::string& bytes() const;

 private:
  Subwords();
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// What a vocabulary is made of.
enum class VocabularyType {
  bpe,        ///< pairs of characters merged, the most frequent first (Sennrich et al. 2016)
  unigram,    ///< pieces under which the text is most probable (Kudo 2018)
  character,  ///< single characters
  byte_bpe    ///< pairs of bytes merged within words (Radford et al. 2019): every text has pieces
};
Choice vocabulary_type_choice(VocabularyType&);

/// How a subword vocabulary is learned.
struct SubwordSettings {
  VocabularyType type = VocabularyType::bpe;
  int size = 8000;                        ///< pieces, with the special ones; of characters at most so many
  double character_coverage = 1.0;        ///< share of character occurrences that must have a piece
  bool byte_fallback = false;             ///< characters without a piece become bytes instead of <unk>
  std::vector<std::string> user_symbols;  ///< always one piece
  std::int64_t sample_lines = 5'000'000;  ///< lines kept for learning, drawn at random from all
  std::int64_t seed = 1;
};
Fields fields_of(SubwordSettings&);
/// Throws UsageError if settings do not fit together.
void check(const SubwordSettings&);

/// Learns a model. `next_line` gives clean lines until false. Ids: 0 unknown, 1
/// begin, 2 end. Bounded memory: more than `sample_lines` lines are sampled, which is told to `listener`; but
/// characters are counted in all lines. The same for any number of threads. Throws InputError if the text
/// does not give so many pieces, saying how many it gives; of characters there may be fewer.
Subwords learn_subwords(const std::function<bool(std::string&)>& next_line, const SubwordSettings&,
                        int threads, Listener& listener);

}  // namespace gloss

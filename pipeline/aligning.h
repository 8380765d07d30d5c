#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/alignment.h"
#include "pipeline/parallel_text.h"
#include "pipeline/text_model.h"

namespace gloss {

/// Where a model looks while it reads a translation: of each layer and head.
struct AlignedPair {
  std::vector<std::string> source, target;  ///< words
  int heads = 0;                            ///< of each layer
  std::vector<WordAlignment> maps;          ///< head after head of the first layer, then of the next
  int left_out = 0;                         ///< tokens of either side beyond what the model has positions for
  std::int64_t replaced = 0;                ///< invalid UTF-8 sequences in the pair

  int layers() const { return heads == 0 ? 0 : static_cast<int>(maps.size()) / heads; }
  /// Of a layer and head counted from 0; head -1: the mean over the heads.
  WordAlignment map(int layer, int head) const;
};

/// Aligns the words of translations with those of their sources by a model's attention, which is that of
/// `Translator` for the same tokens. A pair's result does not depend on the pairs beside it or on threads.
class Aligner {
 public:
  /// Of the settings, the limits of lengths and the batches count. The model must live longer. Throws
  /// UsageError if it has no attention.
  Aligner(const TextModel&, const TranslationSettings&, int threads);

  int layers() const { return layers_; }
  int heads() const { return heads_; }
  /// As many results as pairs, in their order; blank lines have no words and no maps.
  std::vector<AlignedPair> align(std::span<const SentencePair> pairs,
                                 const std::function<void(int pairs)>& finished) const;

 private:
  /// A side made ready for the network.
  struct Side {
    std::vector<TokenId> tokens;     // with the end
    std::vector<int> word_of_piece;  // without
  };
  struct Prepared {
    Side source, target;
  };
  Side prepare(const std::string& line, const Subwords&, int most, AlignedPair&,
               std::vector<std::string>& words) const;
  void look(std::span<const Prepared* const> pairs, std::span<AlignedPair* const> results) const;

  const TextModel& model_;
  TranslationSettings settings_;
  int threads_, layers_, heads_;
};

}  // namespace gloss

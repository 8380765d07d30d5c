// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/data/parallel_text.h"
#include "pipeline/data/word_alignment.h"
#include "pipeline/inference/text_model.h"
#include "pipeline/inference/translator.h"

namespace gloss {

/// Aligns the words of translations with those of their sources by a model's attention under teacher forcing;
/// `Translator` gets the same attention for the same tokens. A pair's result does not depend on other pairs
/// or on the number of threads.
class Aligner {
 public:
  /// Uses only the length limits and the batch settings. The model must outlive the aligner. Throws
  /// UsageError if the model has no attention.
  Aligner(const TextModel&, const TranslationSettings&, int threads);

  /// Lets sources name items, such as images: their words are the places of a grid, such as "2,3" in its
  /// second row.
  void read_items(ItemRows, const GridSize&);

  int layers() const { return layers_; }
  int heads() const { return heads_; }
  /// One result per pair, in their order. A blank line has no words, and its pair has no maps.
  std::vector<AlignedPair> align(std::span<const SentencePair> pairs,
                                 const std::function<void(int pairs)>& finished) const;

 private:
  /// One side of a pair, tokenised.
  struct Side {
    std::vector<TokenId> tokens;     // with the end token and those around the line
    std::vector<int> word_of_piece;  // without them
    std::string item{};              // the line, if it names an item
  };
  struct Prepared {
    Side source, target;
  };
  Side prepare(const std::string& line, const Subwords&, const LineFrame&, int most, AlignedPair&,
               std::vector<std::string>& words) const;
  /// The places of an item.
  Side prepare_item(const std::string& line, std::vector<std::string>& words) const;
  /// Attention with a column for the end of each source, which items do not have.
  std::vector<float> with_end(const std::vector<float>& map) const;
  /// Sets the problem of pairs whose items cannot be read, and leaves them out.
  TokenRows sources_of(std::vector<const Prepared*>& pairs, std::vector<AlignedPair*>& results) const;
  void look(std::vector<const Prepared*> pairs, std::vector<AlignedPair*> results) const;

  std::optional<ItemRows> items_;  // empty: sources are text
  std::vector<std::string> places_;
  const TextModel& model_;
  TranslationSettings settings_;
  int threads_, layers_, heads_;
};

}  // namespace gloss

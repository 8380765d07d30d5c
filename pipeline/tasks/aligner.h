// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/examples/word_alignment.h"
#include "pipeline/reading/parallel_text.h"
#include "pipeline/tasks/inner_weights.h"
#include "pipeline/text_models/text_model.h"
#include "pipeline/translation/translator.h"

namespace gloss {

/// Whose weights an aligner shows: of the decoder's attention to the source; or of the layers of the encoder
/// or the decoder, which mix the words of a side. Then a word (target) shows the words (source) that its
/// results are made of; in the decoder, those before a word while it is predicted.
enum class AlignSide { cross, encoder, decoder };

/// Aligns the words of translations with those of their sources by a model's attention under teacher forcing;
/// `Translator` gets the same attention for the same tokens. A pair's result does not depend on other pairs
/// or on the number of threads.
class Aligner {
 public:
  /// Uses only the length limits and the batch settings. The model must outlive the aligner. Throws
  /// UsageError if the model has no such attention.
  Aligner(const TextModel&, const TranslationSettings&, int threads, AlignSide = AlignSide::cross);

  /// Lets sources name items: the words of an image are the places of its grid, such as "2,3" in the second
  /// row, those of a recording its vectors, such as "4".
  void read_items(ItemRows items) { items_ = std::move(items); }

  /// Takes every piece for a word, as the vocabulary spells it.
  void show_pieces() { pieces_ = true; }

  /// Of the side that is shown.
  int layers() const { return layers_; }
  int heads() const { return heads_; }
  /// The layers of the side; null: it is `cross`.
  const InnerWeights* inner() const { return inner_ ? &*inner_ : nullptr; }
  /// One result per pair, in their order. A blank line has no words, and its pair has no maps.
  std::vector<AlignedPair> align(std::span<const SentencePair> pairs,
                                 const std::function<void(int pairs)>& finished) const;

 private:
  /// One side of a pair, tokenised.
  struct Side {
    std::vector<TokenId> tokens;     // with the end token and those around the line
    std::vector<int> word_of_piece;  // without them
    std::vector<int> word_of_token;  // with them, which are -1
    ItemNumbers numbers{};           // of an item
  };
  struct Prepared {
    Side source, target;
  };
  Side prepare(const std::string& line, const Subwords&, const LineFrame&, int most, AlignedPair&,
               std::vector<std::string>& words) const;
  Side prepare_item(const std::string& line, AlignedPair&) const;
  void look(std::span<const Prepared* const> pairs, std::span<AlignedPair* const> results) const;

  void look_within(std::span<const Prepared* const> pairs, std::span<AlignedPair* const> results) const;
  TokenRows sources_of(std::span<const Prepared* const> pairs) const;

  std::optional<InnerWeights> inner_;
  std::optional<ItemRows> items_;  // empty: sources are text
  bool pieces_ = false;            // these are words
  const TextModel& model_;
  TranslationSettings settings_;
  int threads_, layers_, heads_;
};

}  // namespace gloss

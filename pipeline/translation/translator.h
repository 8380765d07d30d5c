// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/alignment/shortlist.h"
#include "pipeline/examples/token_links.h"
#include "pipeline/examples/word_alignment.h"
#include "pipeline/media/item_rows.h"
#include "pipeline/reading/line_report.h"
#include "pipeline/search/parallel_search.h"
#include "pipeline/text_models/text_model.h"
#include "pipeline/translation/lexicon.h"
#include "pipeline/translation/translated_line.h"
#include "pipeline/translation/translation_settings.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {

/// Translates text with a network and its tokenizers, which must outlive the translator. A line's translation
/// depends on the line alone (with sampling, also on its number): not on other lines, their order, the
/// batches or the number of threads.
class Translator {
 public:
  /// Throws UsageError if the settings contradict one another or do not fit the vocabulary, InputError if the
  /// file of terms, of phrases or of the shortlist is invalid.
  /// `frame`: the tokens around the lines of both sides.
  Translator(const Decoder&, const Subwords& source, const Subwords& target, Normalization,
             const TranslationSettings&, int threads, PairFrame frame = {});

  /// Lets `drafter`, which must outlive this object, draft translations of a few lines at a time. Only for
  /// networks that take several tokens in a step; changes the speed, not the translations.
  void draft_with(const Drafter& drafter) { drafter_ = &drafter; }

  /// Lets lines name items, such as images, in place of text. Throws UsageError for settings that speak of
  /// the words of a source.
  void read_items(ItemRows);
  bool reads_items() const { return items_.has_value(); }
  /// Takes texts from the labels of the items' vectors, not from the decoder. `labeller` must outlive this
  /// object; null: the network has no CTC head. Throws UsageError if that is so, or for settings that direct
  /// a decoder.
  void label_with(const VectorLabeller* labeller);

  /// One result per line, in their order. A line that is blank, has no tokens or has a problem gets one empty
  /// translation with score 0 without running the network. `finished` receives the number of newly finished
  /// lines; its calls never overlap. `first` is the number of the first line in the whole input, counted from
  /// 0; line numbers seed the random numbers of sampling.
  std::vector<TranslatedLine> translate(
      std::span<const std::string> lines, const std::function<void(int lines)>& finished = [](int) {},
      std::int64_t first = 0) const;
  /// The same with a number for each line.
  std::vector<TranslatedLine> translate(std::span<const std::string> lines,
                                        std::span<const std::uint64_t> numbers,
                                        const std::function<void(int lines)>& finished) const;

  /// True if translations are drawn at random: they depend on the number of the line.
  bool draws() const { return settings_.search.sampling.sample; }

 private:
  /// A tokenised line.
  struct Prepared {
    std::vector<TokenId> tokens;
    RowDemands demands;
    std::string text{};               ///< as it was given
    std::vector<std::string> pieces;  ///< the pieces of `tokens`, if they are needed
    std::vector<std::size_t> places;  ///< the bytes of the line at which tokens end, if links are requested
    ItemNumbers numbers{};            ///< of the item that the line names
  };

  Prepared prepare(std::string line, TranslatedLine&) const;
  /// A line that names an item.
  Prepared prepare_item(std::string line, TranslatedLine&) const;
  std::vector<TokenId> candidates(const Prepared&) const;
  /// `source` is the text of the tokens.
  void add_demands(const std::string& source, const std::string& beginning, Prepared&) const;
  /// Why no translation can satisfy the beginning and the lexicon; empty if one can.
  std::string problem_of(const std::string& beginning, const Prepared&) const;
  void decode(const std::vector<Hypothesis>&, const Prepared&, TranslatedLine&) const;
  Translation decode(const Hypothesis&, const Prepared&) const;
  /// The texts of the source tokens.
  std::vector<std::string> source_texts(const std::vector<TokenId>&,
                                        const std::vector<std::string>& pieces) const;
  TokenLinks links_of(const Hypothesis&, const Prepared&, const std::string& text) const;
  /// A hypothesis without the tokens that begin every target, from left to right.
  Hypothesis without_frame(const Hypothesis&, const Prepared&) const;
  /// The target pieces. With unknown replacement, unknown pieces are replaced by source pieces unless that
  /// would create a banned phrase.
  std::vector<std::string> pieces_of(const Hypothesis&, const Prepared&) const;

  const Decoder& decoder_;
  const Subwords& source_;
  const Subwords& target_;
  Normalization normalization_;
  TranslationSettings settings_;
  int threads_;
  PairFrame frame_;
  std::shared_ptr<const BannedPhrases> banned_;  // null: none
  TokenRules rules_;
  std::unique_ptr<const Lexicon> lexicon_;      // null: none
  std::unique_ptr<const Shortlist> shortlist_;  // null: none
  const Drafter* drafter_ = nullptr;            // null: none
  const VectorLabeller* labeller_ = nullptr;    // null: the decoder writes
  std::optional<ItemRows> items_;               // empty: lines are text
};

}  // namespace gloss

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pipeline/alignment.h"
#include "pipeline/batched_search.h"
#include "pipeline/lexicon.h"
#include "pipeline/shortlist.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {

/// What is wanted of the words of translations beside their text.
enum class Alignment { none, hard, soft };

/// All that decides how lines are translated.
struct TranslationSettings {
  SearchSettings search;
  SearchBatchSettings batches;
  int max_source_tokens = 1024;  ///< what a line has beyond is left out
  bool prefix = false;           ///< lines are SOURCE or SOURCE TAB BEGINNING
  std::string lexicon;           ///< file of terms; empty: none
  std::string ban;               ///< file of phrases; empty: none
  bool unknown_replacement = false;
  bool word_scores = false;
  Alignment alignment = Alignment::none;
  ShortlistSettings shortlist;
};
/// The settings of how much is translated at once and of a line, not those of the search.
Fields limit_fields_of(TranslationSettings&);
/// What translations must have and must not have.
Fields rule_fields_of(TranslationSettings&);

/// A word of a translation: what stands between spaces.
struct TranslatedWord {
  std::string text;
  double log_probability = 0;
};

/// A translation of a line.
struct Translation {
  std::string text;                     ///< one line
  double score = 0;                     ///< of the hypothesis
  double log_probability = 0;           ///< of all tokens and the end
  int tokens = 0;                       ///< that the network made, the end not counted
  Cut cut = Cut::none;                  ///< of the hypothesis
  int missing = 0;                      ///< required phrases that it does not have
  std::vector<TranslatedWord> words{};  ///< if word scores were asked for
  double end_log_probability = 0;       ///< likewise
  WordAlignment alignment{};            ///< if it was asked for
};

/// What became of a line.
struct TranslatedLine {
  std::vector<Translation> translations;  ///< at least one, the best first
  int source_tokens = 0;                  ///< of the whole line
  int left_out = 0;                       ///< source tokens beyond `max_source_tokens`
  std::int64_t replaced = 0;              ///< invalid UTF-8 sequences in the line
};

/// Translates text with a network and its tokenizers, which must live longer. A line's translation depends on
/// nothing but the line: not on its neighbours, their order, the batches or the number of threads.
class Translator {
 public:
  /// Throws UsageError if the settings do not fit together or do not fit the vocabulary, InputError for the
  /// files of terms and phrases.
  Translator(const Decoder&, const Subwords& source, const Subwords& target, Normalization,
             const TranslationSettings&, int threads);

  /// As many results as lines, in their order. A line that is empty, blank or without any token gets one
  /// empty translation with score 0 without asking the network. `finished` is told how many lines are done,
  /// one call at a time. `first` is the number, counted from 0, of the first line in all that is translated:
  /// random numbers are drawn for it, and errors name it. Throws InputError for the first line whose
  /// beginning or required terms are impossible.
  std::vector<TranslatedLine> translate(
      std::span<const std::string> lines, const std::function<void(int lines)>& finished = [](int) {},
      std::int64_t first = 0) const;

 private:
  /// A line made ready for the search.
  struct Prepared {
    std::vector<TokenId> tokens;
    RowDemands demands;
    std::vector<std::string> pieces;  ///< those of `tokens`, if attention is used
    std::string problem;              ///< why it cannot be translated; empty if it can
  };

  Prepared prepare(std::string line, TranslatedLine&) const;
  std::vector<TokenId> candidates(const Prepared&) const;
  /// `source` is the text of the tokens.
  void add_demands(const std::string& source, const std::string& beginning, Prepared&) const;
  void decode(const std::vector<Hypothesis>&, const Prepared&, TranslatedLine&) const;
  Translation decode(const Hypothesis&, const Prepared&) const;
  /// The target pieces, with source pieces for unknown ones unless that would make a banned phrase.
  std::vector<std::string> pieces_of(const Hypothesis&, const Prepared&) const;

  const Decoder& decoder_;
  const Subwords& source_;
  const Subwords& target_;
  Normalization normalization_;
  TranslationSettings settings_;
  int threads_;
  std::shared_ptr<const BannedPhrases> banned_;  // null: none
  std::unique_ptr<const Lexicon> lexicon_;       // null: none
  std::unique_ptr<const Shortlist> shortlist_;   // null: none
};

}  // namespace gloss

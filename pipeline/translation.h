#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "pipeline/batched_search.h"
#include "tokenizer/subword.h"
#include "tokenizer/text.h"

namespace gloss {

/// All that decides how lines are translated.
struct TranslationSettings {
  SearchSettings search;
  SearchBatchSettings batches;
  int max_source_tokens = 1024;  ///< what a line has beyond is left out
};
/// The settings of how much is translated at once and of a line, not those of the search.
Fields limit_fields_of(TranslationSettings&);

/// A translation of a line.
struct Translation {
  std::string text;  ///< one line
  double score = 0;  ///< of the hypothesis
  int tokens = 0;    ///< that the network made, the end not counted
  bool cut = false;  ///< the length limit ended it
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
  /// Throws UsageError if the settings do not fit together or do not fit the vocabulary.
  Translator(const Decoder&, const Subwords& source, const Subwords& target, Normalization,
             const TranslationSettings&, int threads);

  /// As many results as lines, in their order. A line that is empty, blank or without any token gets one
  /// empty translation with score 0 without asking the network. `finished` is told how many lines are done,
  /// one call at a time.
  std::vector<TranslatedLine> translate(
      std::span<const std::string> lines, const std::function<void(int lines)>& finished = [](int) {}) const;

 private:
  std::vector<TokenId> encode(const std::string& line, TranslatedLine&) const;
  void decode(const std::vector<Hypothesis>&, TranslatedLine&) const;

  const Decoder& decoder_;
  const Subwords& source_;
  const Subwords& target_;
  Normalization normalization_;
  TranslationSettings settings_;
  int threads_;
};

}  // namespace gloss

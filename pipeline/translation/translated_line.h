// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "pipeline/examples/token_links.h"
#include "pipeline/examples/word_alignment.h"
#include "pipeline/reading/line_report.h"
#include "pipeline/search/parallel_search.h"

namespace gloss {

/// A word of a translation: the text between two spaces.
struct TranslatedWord {
  std::string text;
  double log_probability = 0;
};

/// A translation of a line.
struct Translation {
  std::string text;                     ///< one line
  double score = 0;                     ///< of the hypothesis
  double log_probability = 0;           ///< of all tokens and the end token
  int tokens = 0;                       ///< number of generated tokens without the end token
  Cut cut = Cut::none;                  ///< of the hypothesis
  int missing = 0;                      ///< number of missing required phrases
  int repeats = 0;                      ///< phrase_repeats, unless the source repeats a phrase too
  std::vector<TranslatedWord> words{};  ///< if word scores are requested
  double end_log_probability = 0;       ///< if word scores are requested
  WordAlignment alignment{};            ///< if an alignment is requested
  std::vector<TokenLinks> links{};      ///< of each sentence, if requested
};

/// The translations of a line.
struct TranslatedLine : LineReport {        // `problem`: the beginning or the required terms are impossible
  std::vector<Translation> translations{};  ///< at least one, the best first
  int sentences = 1;                        ///< of the line that were translated as one
  int longest = 0;                          ///< tokens of its longest sentence, or of the line as one
  int copied = 0;                           ///< words whose translation is their text (copied_words)

  /// Adds what was found in a part of the same line; `empty` stays.
  void add(const TranslatedLine& part) {
    LineReport::add(part);
    longest = std::max(longest, part.longest);
    copied += part.copied;
  }
};

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <string>

#include "pipeline/data/stream_report.h"
#include "pipeline/inference/translator.h"

namespace gloss {

/// The number of tokens that a run read and wrote.
struct TranslationTotals {
  std::int64_t source_tokens = 0;  ///< without tokens that were left out
  std::int64_t target_tokens = 0;  ///< of the best translation of each line
  std::int64_t repeated = 0;       ///< lines whose best translation repeats a phrase
  void add(const TranslatedLine&);
  /// For the closing note, such as "9 tokens translated into 8".
  std::string summary() const;
  /// The same for lines with problems: ", 1 repeated"; "" without them.
  std::string problems() const;
};

/// Reports problems of the best translation of the line added last: the length limit or the rules ended it,
/// required terms are missing, or it repeats a phrase.
void count_shortcomings(const TranslatedLine&, StreamReport& report);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>

#include "pipeline/data/stream_report.h"
#include "pipeline/inference/translator.h"

namespace gloss {

/// The number of tokens that a run read and wrote.
struct TranslationTotals {
  std::int64_t source_tokens = 0;  ///< without tokens that were left out
  std::int64_t target_tokens = 0;  ///< of the best translation of each line
  void add(const TranslatedLine&);
};

/// Reports problems of the best translation of the line added last: the length limit or the rules ended it,
/// or required terms are missing.
void count_shortcomings(const TranslatedLine&, StreamReport& report);

}  // namespace gloss

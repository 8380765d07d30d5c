// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/runs/stream_report.h"
#include "pipeline/translation/translated_line.h"

namespace gloss {

/// A reason why somebody should look at the translation of a line.
struct Shortcoming {
  enum class Kind {
    cut,                ///< figure: tokens that were left out
    too_long,           ///< tokens of the longest sentence
    several_sentences,  ///< their number
    unknown,            ///< unknown pieces
    repeats,            ///< how often a phrase occurs in a row
    copy                ///< words
  } kind;
  static constexpr std::size_t kKinds = 6;
  std::int64_t figure;
};
/// The name of a kind in reports, such as "too-long".
const char* name_of(Shortcoming::Kind);

/// How lines compare with those that the model learned from.
struct UsualLines {
  std::int64_t length = 0;  ///< LearnedLengths::usual; 0: unknown
  bool split = false;       ///< lines are split into sentences
};

/// The shortcomings of a line and its best translation, in the order of the kinds.
std::vector<Shortcoming> shortcomings(const TranslatedLine&, const UsualLines&);

/// Reports the shortcomings of the line added last, and what else is wrong with its best translation: the
/// length limit or the rules ended it, or required terms are missing. Returns the shortcomings.
std::vector<Shortcoming> count_shortcomings(const TranslatedLine&, const UsualLines&, StreamReport& report);

}  // namespace gloss

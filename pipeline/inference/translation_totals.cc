// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/translation_totals.h"

namespace gloss {

void TranslationTotals::add(const TranslatedLine& line) {
  source_tokens += line.read_tokens - line.left_out;
  target_tokens += line.translations.front().tokens;
}

void count_shortcomings(const TranslatedLine& line, StreamReport& report) {
  const Translation& best = line.translations.front();
  if (best.cut == Cut::by_length) {
    report.count(
        "the length limit ended the translation (--max-length-factor, --max-length; against repetition: "
        "--no-repeat-ngram)");
  }
  if (best.cut == Cut::by_rules) {
    report.count(
        "the rules allow no token to continue the translation (--no-repeat-ngram, --ban, --lexicon)");
  }
  report.count("the translation lacks a required term", best.missing);
}

}  // namespace gloss

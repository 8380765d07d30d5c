// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/translation_totals.h"

#include "base/counted.h"
#include "base/text.h"

namespace gloss {

void TranslationTotals::add(const TranslatedLine& line) {
  source_tokens += line.read_tokens - line.left_out;
  target_tokens += line.translations.front().tokens;
  repeated += line.translations.front().repeats;
}

std::string TranslationTotals::summary() const {
  if (source_tokens == 0) return "no text to translate";
  const std::string tokens = counted(source_tokens, "token");
  if (target_tokens == 0) return concat(tokens, ", but all translations are empty");
  return concat(tokens, " translated into ", target_tokens);
}

std::string TranslationTotals::problems() const {
  return repeated == 0
             ? ""
             : concat(", ", repeated, repeated == 1 ? " that repeats a phrase" : " that repeat a phrase");
}

void count_shortcomings(const TranslatedLine& line, StreamReport& report) {
  const Translation& best = line.translations.front();
  if (line.sentences > 1) {
    report.count(
        "the line has several sentences, which are translated as one (--split translates each for itself)");
  }
  if (best.cut == Cut::by_length) {
    report.count(
        "the length limit ended the translation (--max-length-factor, --max-length; against repetition: "
        "--no-repeat-ngram)");
  }
  if (best.cut == Cut::by_rules) {
    report.count(
        "the rules allow no token to continue the translation (--no-repeat-ngram, --ban, --lexicon)");
  }
  if (best.repeats) {
    report.count("the translation repeats a phrase four times or more in a row (--no-repeat-ngram)");
  }
  report.count("the translation lacks a required term", best.missing);
}

}  // namespace gloss

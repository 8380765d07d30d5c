// SPDX-License-Identifier: Apache-2.0

#include "pipeline/translation/translation_settings.h"

#include "base/error.h"

namespace gloss {

Fields limit_fields_of(TranslationSettings& settings) {
  Fields fields = fields_of(settings.batches);
  fields.push_back({"max_source_tokens",
                    &settings.max_source_tokens,
                    "truncate source lines after N tokens, with a warning",
                    {1, 1e6}});
  return fields;
}

Fields rule_fields_of(TranslationSettings& settings) {
  return {
      {"prefix", &settings.prefix,
       "read input lines SOURCE or SOURCE<tab>BEGINNING and begin translations with BEGINNING"},
      {"lexicon",
       &settings.lexicon,
       "file of lines 'source term<tab>target term'; if a line has the source term, its translation must "
       "have the target term",
       {},
       0,
       "FILE"},
      {"ban", &settings.ban, "file of phrases, one per line, that no translation may contain", {}, 0, "FILE"},
      {"unknown_replacement", &settings.unknown_replacement,
       "replace unknown pieces of a translation by the source pieces with the most attention"},
  };
}

void refuse_order_of_tokens(const TranslationSettings& settings) {
  const auto refuse = [](const std::string& option, const std::string& why) {
    throw UsageError(concat(option, ": the model writes from right to left, ", why,
                            "; use a model that writes from left to right, or leave the option out"));
  };
  if (settings.prefix) refuse("--prefix", "so that the beginning of a translation comes last");
  if (!settings.lexicon.empty()) refuse("--lexicon", "but terms are followed from their first piece on");
  if (!settings.ban.empty())
    refuse("--ban", "but banned phrases are found in text that is read from its beginning");
}

void refuse_words_of_source(const TranslationSettings& settings) {
  const char* const of_words = settings.prefix                         ? "--prefix"
                               : !settings.lexicon.empty()             ? "--lexicon"
                               : !settings.shortlist.shortlist.empty() ? "--shortlist"
                               : settings.unknown_replacement          ? "--unknown-replacement"
                               : settings.alignment != Alignment::none ? "--alignment"
                               : settings.links                        ? "--protect"
                                                                       : nullptr;
  if (of_words == nullptr) return;
  throw UsageError(
      concat(of_words, " speaks of the words of a source, but that of the model is not text; leave it out"));
}

void refuse_steps_of_decoder(const TranslationSettings& settings) {
  const SearchSettings& search = settings.search;
  const char* const of_steps = search.sampling.sample        ? "--sample"
                               : search.min_length > 0       ? "--min-length"
                               : search.coverage_penalty > 0 ? "--coverage-penalty"
                               : settings.word_scores        ? "--word-scores"
                                                             : nullptr;
  if (of_steps == nullptr) return;
  throw UsageError(
      concat(of_steps, " is about the steps of a decoder, which --ctc does not use; leave it out"));
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/inference/translation_settings.h"

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

}  // namespace gloss

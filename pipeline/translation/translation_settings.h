// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/fields.h"
#include "pipeline/alignment/shortlist.h"
#include "pipeline/search/parallel_search.h"

namespace gloss {

/// The kind of word alignment to compute.
enum class Alignment { none, hard, soft };

/// All settings of translation.
struct TranslationSettings {
  SearchSettings search;
  SearchBatchSettings batches;
  int max_source_tokens = 1024;  ///< longer lines are truncated
  bool ctc = false;              ///< texts come from the labels of the source's vectors, not from the decoder
  bool prefix = false;           ///< lines are SOURCE or SOURCE TAB BEGINNING
  std::string lexicon;           ///< file of terms; empty: none
  std::string ban;               ///< file of banned phrases; empty: none
  bool unknown_replacement = false;
  bool word_scores = false;
  Alignment alignment = Alignment::none;
  bool links = false;  ///< translations know their tokens' places, and their attention if the model has any
  ShortlistSettings shortlist;
};
/// The fields of batch sizes and the maximum source length.
Fields limit_fields_of(TranslationSettings&);
/// The fields that prescribe or forbid parts of translations.
Fields rule_fields_of(TranslationSettings&);

/// Throw UsageError if settings look at the beginning of a text that the network writes from its end; speak
/// of the words of a source that is not text; or direct the steps of a decoder, of which there are none with
/// `ctc`.
void refuse_order_of_tokens(const TranslationSettings&);
void refuse_words_of_source(const TranslationSettings&);
void refuse_steps_of_decoder(const TranslationSettings&);

}  // namespace gloss

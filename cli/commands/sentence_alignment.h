// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "base/fields.h"
#include "base/listener.h"
#include "cli/lines/answer_options.h"
#include "pipeline/examples/languages.h"
#include "pipeline/reading/parallel_text.h"
#include "pipeline/translation/translation_settings.h"

namespace gloss {

/// What shows that sentences translate each other, beside their lengths. `automatic`: a model's translations
/// or embeddings, or given translations; words without a model.
enum class SentenceEvidence { automatic, lengths, words, translations, embeddings };

/// The settings of `gloss align --sentences`.
struct SentenceAlignment {
  SentenceEvidence evidence = SentenceEvidence::automatic;
  std::string translated;      ///< file with a translation of each source line; empty: none
  bool one_paragraph = false;  ///< empty lines are ignored
  bool beads = false;          ///< print numbers of sentences in place of pairs
};
Fields fields_of(SentenceAlignment&);

/// A document and its translation, and how to align their sentences.
struct SentenceAlignmentRequest {
  SentenceAlignment settings;
  ParallelFiles files;
  std::string model, output;  ///< the directory of the model; empty: none
  LanguageChoice languages;
  Precision precision;
  TranslationSettings translation;
  int threads;
};

/// Aligns the sentences and writes pairs or beads. Throws UsageError for contradictory settings, InputError
/// if a file is empty or if the paragraphs of the sides differ in number.
void write_sentence_pairs(SentenceAlignmentRequest, Listener&);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/ranks.h"
#include "pipeline/reading/parallel_text.h"
#include "pipeline/text_models/training_record.h"
#include "pipeline/translation/translator.h"

namespace gloss {

/// How a translation model is validated during training.
struct ValidationSettings {
  bool bleu = true;
  int beam_size = 1;
  std::string tokenize = "13a";
  std::int64_t lines = 1000;
  int samples = 1;  ///< lines whose translations are shown
};
Fields fields_of(ValidationSettings&);

/// Translates the sources of `pairs`, which the ranks share, and sets BLEU (0 to 100) against their targets
/// and the samples.
void add_translation_figures(const Translator&, std::span<const SentencePair> pairs,
                             const ValidationSettings&, Ranks& ranks, ValidationFigures&);

}  // namespace gloss

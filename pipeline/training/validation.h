// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "base/ranks.h"
#include "pipeline/data/parallel_text.h"
#include "pipeline/inference/translator.h"

namespace gloss {

/// How a translation model is validated during training.
struct ValidationSettings {
  bool bleu = true;
  int beam_size = 1;
  std::string tokenize = "13a";
  std::int64_t lines = 1000;
};
Fields fields_of(ValidationSettings&);

/// BLEU (0 to 100) of the network's translations of the sources against the targets of `pairs`; the ranks
/// share the translation.
double translation_bleu(const Translator&, std::span<const SentencePair> pairs, const std::string& tokenize,
                        Ranks& ranks);

}  // namespace gloss

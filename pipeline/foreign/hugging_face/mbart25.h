// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "model/networks/network_settings.h"
#include "pipeline/examples/languages.h"
#include "pipeline/foreign/hugging_face/hugging_face_files.h"
#include "pipeline/foreign/hugging_face/hugging_face_generation.h"

namespace gloss {

// mBART-25 has the network of mBART-50, but other tokens around lines.

/// True for its tokenizer, which transformers takes for this type of model unless a file names another one.
/// Some models of mBART-50 leave that to their users: their targets begin with the end token.
bool is_mbart25(const HuggingFaceFiles&, const NetworkSettings&);

/// The languages that its tokenizer knows by heart.
const std::vector<std::string>& mbart25_languages();

/// Puts the language of the source after its text; targets begin with their language alone. Throws InputError
/// if the decoder does not start with a language.
void place_as_mbart25(LanguageTokens&, const HuggingFaceFiles&, const NetworkSettings&,
                      const HuggingFaceGeneration&);

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <vector>

#include "pipeline/examples/languages.h"
#include "tokenizer/subword.h"

namespace gloss {

/// The code of a language's token: M2M-100's `__de__` is `de`; others are their own codes.
std::string language_code_of(const std::string& token);

/// The languages of a vocabulary by its pieces: `__de__` (M2M-100), `de_DE` (mBART-50) or `deu_Latn` (NLLB),
/// if there are at least two of a kind. English is the source unless another one is chosen.
LanguageTokens languages_of_pieces(const std::vector<std::string>& pieces);

/// The source of a model that does not name one: English, if it has it; else empty.
std::string usual_source_language(const LanguageTokens&);

/// The language of a piece such as >>deu<<, which chooses the language of the target in Marian's models;
/// empty for other pieces.
std::string marian_language(const std::string& piece);
/// The languages of a vocabulary that has such pieces. They begin the source.
LanguageTokens marian_languages(const Subwords& source);

}  // namespace gloss

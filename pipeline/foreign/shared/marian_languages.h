// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>

#include "pipeline/examples/languages.h"
#include "tokenizer/subword.h"

namespace gloss {

/// The language of a piece such as >>deu<<, which chooses the language of the target in Marian's models;
/// empty for other pieces.
std::string marian_language(const std::string& piece);
/// The languages of a vocabulary that has such pieces. They begin the source.
LanguageTokens marian_languages(const Subwords& source);

}  // namespace gloss

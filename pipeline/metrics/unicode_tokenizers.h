// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>

#include "pipeline/metrics/tokenizers.h"

namespace gloss {

/// "intl": splits off all Unicode punctuation and symbols, as mteval-v14.pl does.
std::unique_ptr<WordTokenizer> make_international_tokenizer();
/// "zh": each Chinese character is a word; the rest is split as by 13a.
std::unique_ptr<WordTokenizer> make_chinese_tokenizer();
/// "char": each character except white space is a word.
std::unique_ptr<WordTokenizer> make_character_tokenizer();

}  // namespace gloss

#pragma once

#include <memory>

#include "pipeline/metrics/tokenizers.h"

namespace gloss {

/// "intl": splits at all of Unicode's punctuation and symbols, as mteval-v14.pl does.
std::unique_ptr<WordTokenizer> make_international_tokenizer();
/// "zh": each Chinese character is a word, the rest goes as with 13a.
std::unique_ptr<WordTokenizer> make_chinese_tokenizer();
/// "char": each character but white space is a word.
std::unique_ptr<WordTokenizer> make_character_tokenizer();

}  // namespace gloss

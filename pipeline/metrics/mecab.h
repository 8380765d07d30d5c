#pragma once

#include <memory>

#include "pipeline/metrics/tokenizers.h"

namespace gloss {

/// "ja-mecab": MeCab with the IPA dictionary. The library is loaded here, not when the program starts; throws
/// Error saying what to install if it or the dictionary is missing.
std::unique_ptr<WordTokenizer> make_mecab_tokenizer();

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <memory>

#include "pipeline/metrics/tokenizers.h"

namespace gloss {

/// "ja-mecab": MeCab with the IPA dictionary. Loads the library on the first call; throws Error with the
/// packages to install if the library or the dictionary is missing.
std::unique_ptr<WordTokenizer> make_mecab_tokenizer();

}  // namespace gloss

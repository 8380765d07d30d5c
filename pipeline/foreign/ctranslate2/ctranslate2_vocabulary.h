// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <optional>
#include <string>

#include "model/networks/network_settings.h"
#include "pipeline/examples/languages.h"
#include "pipeline/examples/tokenizer_pair.h"

namespace gloss {

/// The special tokens of a model of CTranslate2.
struct CTranslate2Tokens {
  std::string unknown = "<unk>", begin = "<s>", end = "</s>";
  std::string start = "<s>";                      ///< before every target
  bool starts_from_zero = false;                  ///< a zero vector is before every target instead
  bool source_begin = false, source_end = false;  ///< around every source
};

/// The vocabularies of a directory of CTranslate2: shared_vocabulary, source_vocabulary and
/// target_vocabulary, or vocabulary, as .json or .txt.
bool has_ctranslate2_vocabulary(const std::string& directory);

/// The tokenizers with these vocabularies. If there are SentencePiece models beside them, text is split by
/// those; else words between spaces are tokens. Throws InputError, naming the file, also if it has not a
/// token for each of the network's embeddings.
Tokenizers read_ctranslate2_tokenizers(const std::string& directory, const NetworkSettings&,
                                       const CTranslate2Tokens&);
/// The languages that a model chooses by tokens of these vocabularies, such as `deu_Latn` or `>>deu<<`.
LanguageTokens read_ctranslate2_languages(const Tokenizers&);

}  // namespace gloss

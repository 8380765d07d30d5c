// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/networks/batch.h"
#include "tokenizer/subword.h"

namespace gloss {

/// The lists of a lexical shortlist of Marian.
struct MarianLists {
  int first = 0;  ///< number of target tokens, from id 0, that are always allowed; text has none: -1
  std::vector<std::vector<TokenId>> translations;  ///< of each source token
};

/// True for the bytes of a binary shortlist, such as lex.50.50.bin.
bool is_marian_binary_shortlist(std::string_view bytes);
/// Reads one. Throws InputError that names `path` if it is damaged or for other vocabularies.
MarianLists read_marian_binary_shortlist(std::string_view bytes, const std::string& path, int source,
                                         int target);

/// Reads a text with lines "target source probability", such as lex.s2t: translations are in descending order
/// of probability, without those that are not above the threshold. Throws InputError that names path and
/// line.
MarianLists read_marian_text_shortlist(std::string_view text, const std::string& path, const Subwords& source,
                                       const Subwords& target, double threshold);

}  // namespace gloss

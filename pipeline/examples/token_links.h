// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/networks/batch.h"
#include "tokenizer/word_links.h"

namespace gloss {

/// Where the tokens of a sentence and of its translation end, and how much each target token belongs to each
/// source token.
struct TokenLinks {
  std::size_t source_begin = 0, target_begin = 0;  ///< bytes before the sentence in both texts
  std::vector<std::size_t> sources, targets;       ///< the bytes after `..._begin` at which tokens end
  std::vector<float> weights;                      ///< [targets, sources]; empty: unknown
};

/// The byte of `text` at which each token ends, given the texts of the tokens, which may differ from it where
/// a tokenizer normalises: what is between tokens that spell the text is shared evenly by those that do not.
std::vector<std::size_t> token_places(const std::vector<std::string>& tokens, std::string_view text);

/// The number of the word of `line` that each of its tokens begins in, counted from 0, given the texts of the
/// tokens (as for token_places). A token without text belongs to the word after it; -1 if there is none.
std::vector<int> words_of_tokens(const std::vector<std::string>& tokens, std::string_view line);

/// The links of tokens that follow from those of their words: each token of a word is linked with each token
/// of the words that its word is linked with. Ordered by target token, then by source token. Tokens have the
/// numbers of their words, or -1.
std::vector<TokenLink> token_links(const std::vector<Link>&, const std::vector<int>& source_words,
                                   const std::vector<int>& target_words);

}  // namespace gloss

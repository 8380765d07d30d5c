// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace gloss

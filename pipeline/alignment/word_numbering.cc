// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/word_numbering.h"

#include "tokenizer/word_links.h"

namespace gloss {

std::vector<TokenId> WordNumbering::numbers(std::string_view line) {
  std::vector<TokenId> found;
  for (const std::string_view word : words_of_line(line)) found.push_back(number(word));
  return found;
}

TokenId WordNumbering::number(std::string_view word) {
  const auto found = numbers_.find(word);
  if (found != numbers_.end()) return found->second;
  return numbers_.emplace(word, size()).first->second;
}

}  // namespace gloss

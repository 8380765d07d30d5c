// SPDX-License-Identifier: Apache-2.0

#include "pipeline/alignment/word_numbering.h"

namespace gloss {

std::vector<TokenId> WordNumbering::numbers(std::string_view line) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  std::vector<TokenId> found;
  while (true) {
    const std::size_t start = line.find_first_not_of(kSpace);
    if (start == std::string_view::npos) return found;
    line.remove_prefix(start);
    const std::string_view word = line.substr(0, line.find_first_of(kSpace));
    found.push_back(number(word));
    line.remove_prefix(word.size());
  }
}

TokenId WordNumbering::number(std::string_view word) {
  const auto found = numbers_.find(word);
  if (found != numbers_.end()) return found->second;
  return numbers_.emplace(word, size()).first->second;
}

}  // namespace gloss

// SPDX-License-Identifier: Apache-2.0

#include "pipeline/data/token_links.h"

#include <algorithm>

#include "tokenizer/model_file.h"

namespace gloss {
namespace {

/// The token without spaces around it.
std::string_view spelled(std::string_view token) {
  while (token.starts_with(kPieceSpace)) token.remove_prefix(kPieceSpace.size());
  while (token.starts_with(' ')) token.remove_prefix(1);
  while (token.ends_with(' ')) token.remove_suffix(1);
  return token;
}

}  // namespace

std::vector<std::size_t> token_places(const std::vector<std::string>& tokens, std::string_view text) {
  constexpr std::size_t kReach = 48;  // bytes that tokens which do not spell the text may stand for
  std::vector<std::size_t> ends(tokens.size());
  std::size_t at = 0, placed = 0;  // bytes; tokens
  const auto share = [&](std::size_t until, std::size_t token) {
    for (std::size_t i = placed; i < token; ++i) {
      ends[i] = at + (until - at) * (i + 1 - placed) / (token - placed);
    }
  };
  for (std::size_t token = 0; token < tokens.size(); ++token) {
    const std::string_view word = spelled(tokens[token]);
    const std::size_t first = std::min(text.find_first_not_of(' ', at), text.size());
    const std::size_t reach = token == placed ? first : std::min(text.size(), first + kReach);
    const std::size_t begin = text.substr(0, reach + word.size()).find(word, first);
    if (word.empty() || begin == std::string_view::npos || begin > reach) continue;
    share(begin, token);
    at = ends[token] = begin + word.size();
    placed = token + 1;
  }
  share(text.size(), tokens.size());
  return ends;
}

}  // namespace gloss

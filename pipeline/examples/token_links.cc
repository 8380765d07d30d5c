// SPDX-License-Identifier: Apache-2.0

#include "pipeline/examples/token_links.h"

#include <algorithm>

#include "base/index.h"
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

/// The tokens of each word.
std::vector<std::vector<int>> tokens_of_words(const std::vector<int>& words) {
  std::vector<std::vector<int>> tokens;
  for (std::size_t token = 0; token < words.size(); ++token) {
    if (words[token] < 0) continue;
    if (tokens.size() <= index(words[token])) tokens.resize(index(words[token]) + 1);
    tokens[index(words[token])].push_back(static_cast<int>(token));
  }
  return tokens;
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

std::vector<int> words_of_tokens(const std::vector<std::string>& tokens, std::string_view line) {
  const std::vector<std::size_t> ends = token_places(tokens, line);
  const std::vector<std::string_view> words = words_of_line(line);
  std::vector<int> numbers;
  std::size_t word = 0, begin = 0;  // the byte at which the token begins
  for (const std::size_t end : ends) {
    while (word < words.size() && index(words[word].data() + words[word].size() - line.data()) <= begin)
      ++word;
    numbers.push_back(word < words.size() ? static_cast<int>(word) : -1);
    begin = std::max(begin, end);
  }
  return numbers;
}

std::vector<TokenLink> token_links(const std::vector<Link>& links, const std::vector<int>& source_words,
                                   const std::vector<int>& target_words) {
  const std::vector<std::vector<int>> sources = tokens_of_words(source_words),
                                      targets = tokens_of_words(target_words);
  std::vector<TokenLink> all;
  for (const Link& link : links) {
    if (index(link.source) >= sources.size() || index(link.target) >= targets.size()) continue;
    for (const int target : targets[index(link.target)]) {
      for (const int source : sources[index(link.source)]) all.push_back({source, target});
    }
  }
  std::sort(all.begin(), all.end(), [](const TokenLink& a, const TokenLink& b) {
    return a.target != b.target ? a.target < b.target : a.source < b.source;
  });
  return all;
}

}  // namespace gloss

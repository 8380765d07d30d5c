// SPDX-License-Identifier: Apache-2.0

#include "pipeline/data/word_links.h"

#include <algorithm>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "pipeline/data/token_links.h"

namespace gloss {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";

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

std::vector<std::string_view> words_of_line(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t start = line.find_first_not_of(kBlanks);
    if (start == std::string_view::npos) return words;
    line.remove_prefix(start);
    words.push_back(line.substr(0, line.find_first_of(kBlanks)));
    line.remove_prefix(words.back().size());
  }
}

std::vector<int> words_of_tokens(const std::vector<std::string>& tokens, std::string_view line) {
  const std::vector<std::size_t> ends = token_places(tokens, line);
  const std::vector<std::string_view> words = words_of_line(line);
  std::vector<int> numbers;
  std::size_t word = 0, begin = 0;  // the byte at which the token begins
  for (const std::size_t end : ends) {
    const std::size_t first = std::min(line.find_first_not_of(kBlanks, begin), line.size());
    while (word < words.size() && index(words[word].data() + words[word].size() - line.data()) <= first)
      ++word;
    numbers.push_back(word < words.size() ? static_cast<int>(word) : -1);
    begin = std::max(begin, end);
  }
  return numbers;
}

std::vector<Link> links_between(std::string_view links, std::string_view source, std::string_view target,
                                const std::string& where) {
  std::vector<Link> parsed = parse_links(links, 0, where);
  if (parsed.empty()) return parsed;
  const auto sources = std::ssize(words_of_line(source)), targets = std::ssize(words_of_line(target));
  for (const Link& link : parsed) {
    if (!link.sure) {
      throw InputError(concat(where, ": ", link.source, "p", link.target,
                              " is a possible link; expected only sure links, such as 3-4"));
    }
    if (link.source < sources && link.target < targets) continue;
    const bool of_source = link.source >= sources;
    throw InputError(concat(where, ": the link ", link.source, "-", link.target, " exceeds the ",
                            counted(of_source ? sources : targets, "word"), " of the ",
                            of_source ? "source" : "target",
                            " sentence; words are separated by spaces and numbered from 0"));
  }
  return parsed;
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

// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/word_links.h"

#include <algorithm>

#include "base/counted.h"
#include "base/error.h"
#include "base/index.h"
#include "base/shown.h"
#include "tokenizer/white_space.h"

namespace gloss {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";
constexpr int kMostWords = 1'000'000;

Link parse_link(std::string_view text, int first_word, const std::string& where) {
  Link link;
  const std::size_t sign = text.find_first_of("-p");
  const bool whole = sign != std::string_view::npos && parse_number(text.substr(0, sign), link.source) &&
                     parse_number(text.substr(sign + 1), link.target) && link.source >= 0 && link.target >= 0;
  if (!whole || std::max(link.source, link.target) > kMostWords) {
    throw InputError(
        concat(where, ": ", shown(text),
               " is not a link; expected two word numbers such as 3-4, or 3p4 for a possible link, and "
               "spaces between links"));
  }
  if (std::min(link.source, link.target) < first_word) {
    throw InputError(
        concat(where, ": the link ", text, " has word number 0; expected word numbers from ", first_word));
  }
  link.source -= first_word;
  link.target -= first_word;
  link.sure = text[sign] == '-';
  return link;
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

std::vector<Link> parse_links(std::string_view line, int first_word, const std::string& where) {
  std::vector<std::string_view> words;
  split_words(line, words);
  std::vector<Link> links;
  for (const std::string_view word : words) links.push_back(parse_link(word, first_word, where));
  std::ranges::sort(links, {}, [](const Link& link) { return std::pair(link.words(), !link.sure); });
  const auto same_words = [](const Link& a, const Link& b) { return a.words() == b.words(); };
  links.erase(std::unique(links.begin(), links.end(), same_words), links.end());
  return links;
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

}  // namespace gloss

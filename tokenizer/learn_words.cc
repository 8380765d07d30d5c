// SPDX-License-Identifier: Apache-2.0

#include "tokenizer/learn_words.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tokenizer/basic_words.h"

namespace gloss {

std::vector<std::string> most_frequent_words(std::span<const std::string> sentences, std::size_t most) {
  std::unordered_map<std::string, std::int64_t> counts;
  for (const std::string& sentence : sentences) {
    for_each_basic_word(sentence, true, [&](std::string_view word) { ++counts[std::string(word)]; });
  }
  std::vector<std::pair<std::int64_t, std::string>> ordered;
  for (const auto& [word, count] : counts) ordered.emplace_back(-count, word);
  std::sort(ordered.begin(), ordered.end());
  if (ordered.size() > most) ordered.resize(most);
  std::vector<std::string> words;
  for (auto& [count, word] : ordered) words.push_back(std::move(word));
  return words;
}

}  // namespace gloss
